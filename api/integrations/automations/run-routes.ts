/** The runs of an automation with the results of their actions, and reruns of failed ones. */
import { Type } from 'typebox';
import { RUN_STATUSES } from '../../../db/models/integrations/automations.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { readAutomation } from '../../../services/integrations/automations/manage.ts';
import { rerun, runToJson } from '../../../services/integrations/automations/rerun.ts';
import { RUN_COLUMNS } from '../../../services/integrations/automations/run-store.ts';
import { TRIGGER_TYPES } from '../../../services/integrations/automations/schemas.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Automations';
const LOGS = '/api/automations/:id/logs';
const Id = Type.Object({ id: uuid() });

const Result = Type.Object(
  {
    type: text({ description: 'The action' }),
    status: choice(['success', 'failed'] as const),
    attempts: integer({ description: 'Number of tries' }),
    error: nullable(text({ max: 1000, description: 'Reason of the failure; null on success' })),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: 'Result: ids of created records, the status of an answer' },
    ),
    unknown_paths: Type.Array(text(), { description: 'Paths in its templates for which there was no data' }),
    executed_at: instant({ description: 'When it was done, or failed' }),
  },
  { title: 'AutomationActionResult' },
);

const Entry = Type.Object(
  {
    id: uuid(),
    executed_at: instant({ description: 'When it began' }),
    trigger: text({ description: 'The type of the trigger' }),
    event_id: nullable(uuid({ description: 'The event that caused it; null if none' })),
    document_id: nullable(uuid({ description: 'The document that it ran for; null if none' })),
    line_id: nullable(uuid({ description: 'The line of the document that it ran for; null for the whole document' })),
    payment_id: nullable(uuid({ description: 'The payment that it ran for; null if none' })),
    partner_id: nullable(uuid({ description: 'The partner that it ran for; null if none' })),
    item_id: nullable(uuid({ description: 'The item that it ran for; null if none' })),
    actions_executed: Type.Array(text(), { description: 'Types of the completed actions' }),
    status: choice(RUN_STATUSES, {
      description:
        'partial: some actions failed; skipped: did not run, see reason; cancelled: ended before all actions were done',
    }),
    reason: nullable(text({ max: 1000, description: 'Reason why it was skipped or cancelled, such as loop' })),
    results: Type.Array(Result, { description: 'Outcome of each action that was tried' }),
    duration_ms: nullable(integer({ description: 'null while it runs' })),
    depth: integer({ description: 'Number of automations in the chain that led to its cause' }),
    automation_version: integer({ description: 'The version of the automation that ran' }),
  },
  { title: 'AutomationRun' },
);

const list: ListDefinition = {
  fields: {
    executed_at: { type: 'instant' },
    trigger: { type: 'choice', choices: TRIGGER_TYPES },
    status: { type: 'choice', choices: RUN_STATUSES },
    event_id: { type: 'uuid' },
    document_id: { type: 'uuid' },
    payment_id: { type: 'uuid' },
    partner_id: { type: 'uuid' },
    item_id: { type: 'uuid' },
    duration_ms: { type: 'integer' },
  },
  defaultSort: '-executed_at',
};

export const runRoutes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'automations:read',
    path: LOGS,
    id: 'listAutomationRuns',
    summary: 'The log of an automation',
    params: Id,
    list,
    row: Entry,
    async rows({ reader, params: { id } }) {
      await readAutomation(reader, id);
      return { from: 'automation_runs', where: { automation_id: id }, columns: RUN_COLUMNS, toJson: runToJson };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'POST',
    path: `${LOGS}/:logId/rerun`,
    id: 'rerunAutomation',
    versionOf: 'id',
    summary: 'Repeat a run of an automation',
    problems: ['invalid_transition'],
    description:
      'Continues with the first action that failed or did not run, as the automation was at that time. Completed actions are not repeated.',
    params: Type.Object({ id: uuid(), logId: uuid({ description: 'The entry of the log' }) }),
    responses: { 202: dataBody(Entry) },
    async handler({ db, ctx, params, ifMatch }) {
      const run = await rerun(db, ctx, params.id, params.logId, ifMatch);
      return {
        status: 202,
        body: { data: run },
        headers: { Location: `/api/automations/${params.id}/logs` },
      };
    },
  }),
];
