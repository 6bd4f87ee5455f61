/** The log of an automation: each run with what its actions did, and repetition of what failed. */
import { Type } from 'typebox';
import { RUN_STATUSES } from '../../db/models/automations.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { rerun, runToJson } from '../../services/automations/logs.ts';
import { readAutomation } from '../../services/automations/manage.ts';
import { RUN_COLUMNS } from '../../services/automations/run-rows.ts';
import { TRIGGER_TYPES } from '../../services/automations/schemas.ts';
import { choice, dataOf, instant, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { defineRoute, type Route } from '../route.ts';

const TAG = 'Automations';
const LOGS = '/api/automations/:id/logs';
const Id = Type.Object({ id: uuid() });

const Result = Type.Object(
  {
    type: text({ description: 'The action' }),
    status: choice(['success', 'failed'] as const),
    attempts: integer({ description: 'Tries that were made' }),
    error: nullable(text({ max: 1000, description: 'Why it failed; null if it did not' })),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: 'What it made or got: ids, the status of an answer' },
    ),
    unknown_paths: Type.Array(text(), { description: 'Paths of its templates that led to nothing' }),
    executed_at: instant({ description: 'When it was done, or failed' }),
  },
  { title: 'AutomationActionResult' },
);

const Entry = Type.Object(
  {
    id: uuid(),
    executed_at: instant({ description: 'When it began' }),
    trigger: text({ description: 'The type of the trigger' }),
    event_id: nullable(uuid({ description: 'The event that it ran for; null for none' })),
    document_id: nullable(uuid({ description: 'The document that it ran for; null for none' })),
    payment_id: nullable(uuid({ description: 'The payment that it ran for; null for none' })),
    actions_executed: Type.Array(text(), { description: 'Types of the actions that were done' }),
    status: choice(RUN_STATUSES, {
      description: 'partial: some actions failed; skipped: left out, see reason; cancelled: ended before all was done',
    }),
    reason: nullable(text({ max: 1000, description: 'Why it was left out or cancelled: loop, for one' })),
    results: Type.Array(Result, { description: 'What came of each action that was tried' }),
    duration_ms: nullable(integer({ description: 'null while it runs' })),
    depth: integer({ description: 'How many automations had to run for its cause to happen' }),
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
    duration_ms: { type: 'integer' },
  },
  defaultSort: '-executed_at',
};

export const logRoutes: Route[] = [
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
      'From the first action that failed or was left out, as the automation was when it ran. What was done is not done again.',
    params: Type.Object({ id: uuid(), logId: uuid({ description: 'The entry of the log' }) }),
    responses: { 202: dataOf(Entry) },
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
