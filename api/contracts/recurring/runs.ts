/** The runs of recurring documents: each period with the document that was made for it. */
import { Type } from 'typebox';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { RUN_OUTCOMES } from '../../../domain/contracts/recurring/types.ts';
import { findRecurring } from '../../../services/contracts/recurring/manage.ts';
import { type Run, retryRun } from '../../../services/contracts/recurring/run.ts';
import {
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { assertMayMake, typesReadBy } from './access.ts';

const TAG = 'Recurring documents';
const PATH = '/api/recurring/:id/runs';

export const RunAnswer = Type.Object(
  {
    id: uuid(),
    number: integer({ minimum: 0, description: 'Number of the document, from 1; 0 if none was made' }),
    period_from: day({ description: 'First day of the period that is charged' }),
    period_to: day({ description: 'Its last day' }),
    due_on: day({ description: 'The day on which the document was due' }),
    outcome: choice(RUN_OUTCOMES, {
      description: 'skipped: it was missed, and is not made by the rule `missed`; failed: it was refused',
    }),
    reason: nullable(text({ max: 500, description: 'Why it failed or was skipped, or was made but not sent' })),
    document_id: nullable(uuid({ description: 'The document; null if none was made, or it was deleted' })),
    entry_id: nullable(uuid({ description: 'The journal entry; null if none was made, or it was deleted' })),
    created_at: instant({ description: 'When it ran' }),
  },
  { title: 'RecurringRun' },
);

const list: ListDefinition = {
  fields: {
    outcome: { type: 'choice', choices: RUN_OUTCOMES },
    due_on: { type: 'date', notNull: true },
    document_id: { type: 'uuid' },
    entry_id: { type: 'uuid' },
    created_at: { type: 'instant' },
  },
  defaultSort: '-due_on',
};

export const runRoutes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'recurring_documents:read',
    path: PATH,
    id: 'listRecurringRuns',
    summary: 'What a recurring document has made',
    description: 'Period by period, the latest first.',
    params: Type.Object({ id: uuid() }),
    list,
    row: RunAnswer,
    async rows({ reader, caller, params }) {
      await findRecurring(reader, params.id, typesReadBy(caller));
      return {
        from: 'recurring_runs',
        where: [fragment('recurring_id = ?::uuid', params.id)],
        columns: COLUMNS,
        toJson: (row: object) => row,
      };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'recurring_documents:update',
    method: 'POST',
    path: `${PATH}/:runId/retry`,
    id: 'retryRecurringRun',
    summary: 'Make what failed or was skipped',
    description: 'Makes the document of the period, with the template as it is now.',
    problems: [
      'forbidden',
      'invalid_transition',
      'period_closed',
      'insufficient_stock',
      'credit_limit',
      'budget_exceeded',
    ],
    params: Type.Object({ id: uuid(), runId: uuid({ description: 'A run of this recurring document' }) }),
    responses: { 200: dataBody(RunAnswer) },
    async handler({ db, ctx, caller, params }) {
      const { documentType, mode } = await findRecurring(db, params.id, typesReadBy(caller));
      assertMayMake(caller, documentType, mode);
      return ok(runToJson(await retryRun(db, ctx, params.id, params.runId)));
    },
  }),
];

const COLUMNS = [
  ...['id', 'number', 'period_from', 'period_to', 'due_on', 'outcome', 'reason', 'document_id', 'entry_id'],
  'created_at',
];

/** A run as listed. */
export function runToJson(run: Run) {
  return {
    id: run.id,
    number: run.number,
    period_from: run.periodFrom,
    period_to: run.periodTo,
    due_on: run.dueOn,
    outcome: run.outcome,
    reason: run.reason,
    document_id: run.documentId,
    entry_id: run.entryId,
    created_at: run.createdAt,
  };
}
