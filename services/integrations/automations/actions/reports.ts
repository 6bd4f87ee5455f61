/** report.generate: starts a task for the user whom the rule acts for, and mails the file to the recipients. */

import { permissionFor } from '../../../reports/engine/declaration.ts';
import { startGeneration } from '../../../reports/generation/generate.ts';
import { scheduledReport } from '../../../reports/schedules/check.ts';
import { DEFAULT_FORMAT } from '../../../reports/schedules/schemas.ts';
import { readReportOrder } from '../references.ts';
import type { WritingAction } from './action.ts';

export const generateReport: WritingAction<'report.generate'> = {
  needs: (_, { report_name: reportName }) => [permissionFor(scheduledReport({ reportName }))],

  async write(trx, ctx, { action, key, runsAs }) {
    const { format = DEFAULT_FORMAT, recipients = [] } = action;
    const { report, params } = await readReportOrder(trx, ctx, action);
    const owner = { ...ctx, userId: runsAs.userId, actor: runsAs.actor ?? ctx.actor };
    const input = { report: report.name, params, format, names: false, notify: true, recipients };
    const { id } = await startGeneration(trx, owner, input, false, key);
    return { task_id: id };
  },
};
