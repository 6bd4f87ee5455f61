/** report.generate: a task of whoever the rule acts for, whose file goes to the recipients too. */

import { reportOf } from '../../report-schedules/check.ts';
import { DEFAULT_FORMAT } from '../../report-schedules/schemas.ts';
import { permissionFor } from '../../reports/declaration.ts';
import { startGeneration } from '../../reports/generate.ts';
import { orderOf } from '../references.ts';
import type { WritingAction } from './action.ts';

export const generateReport: WritingAction<'report.generate'> = {
  needs: (_, { report_name: reportName }) => [permissionFor(reportOf({ reportName }))],

  async write(trx, ctx, { action, key, runsAs }) {
    const { format = DEFAULT_FORMAT, recipients = [] } = action;
    const { report, params } = await orderOf(trx, ctx, action);
    const owner = { ...ctx, userId: runsAs.userId, actor: runsAs.actor ?? ctx.actor };
    const input = { report: report.name, params, format, names: false, notify: true, recipients };
    const { id } = await startGeneration(trx, owner, input, false, key);
    return { task_id: id };
  },
};
