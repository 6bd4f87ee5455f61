/** Recurring documents: agreements by which documents and entries are made again and again, and what they have made. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { RECURRING_MODES, RECURRING_TYPES } from '../../../domain/contracts/recurring/types.ts';
import {
  changeRecurring,
  createRecurring,
  findRecurring,
  pauseRecurring,
  removeRecurring,
  resumeRecurring,
} from '../../../services/contracts/recurring/manage.ts';
import { makeNow } from '../../../services/contracts/recurring/run.ts';
import { members, RecurringChange, RecurringCreate } from '../../../services/contracts/recurring/schemas.ts';
import { recurringToJson, withNextRuns } from '../../../services/contracts/recurring/to-json.ts';
import {
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { assertMayMake, readableTypes, typesReadBy } from './access.ts';
import { RunAnswer, runRoutes, runToJson } from './runs.ts';

const TAG = 'Recurring documents';
const COLLECTION = '/api/recurring';
const ONE = `${COLLECTION}/:id`;

const NextRun = Type.Object(
  {
    due_on: day({ description: 'The day on which it is due' }),
    from: day({ description: 'First day of its period' }),
    to: day({ description: 'Last day' }),
  },
  { title: 'RecurringNextRun' },
);

const listed = {
  id: uuid(),
  ...members,
  ends_on: nullable(members.ends_on),
  count: nullable(members.count),
  index_percent: nullable(members.index_percent),
  index_months: nullable(members.index_months),
  partner_id: nullable(uuid({ description: 'The partner of its documents; null for entries' })),
  active: flag({ description: 'Whether it runs; false: it is paused' }),
  next_on: nullable(day({ description: 'When the next one is due; null once it has ended' })),
  made: integer({ minimum: 0, description: 'Number of documents that it has made' }),
  created_by: nullable(uuid({ description: 'Who made it. It belongs to the company, and goes on without them' })),
  version: integer(),
  created_at: instant(),
  updated_at: instant(),
};
const Listed = Type.Object(listed, { title: 'ListedRecurringDocument' });
const Answer = Type.Object(
  {
    ...listed,
    next_runs: Type.Array(NextRun, { description: 'The next five; none while it is paused, or once it has ended' }),
  },
  { title: 'RecurringDocument' },
);

const list: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    document_type: { type: 'choice', choices: RECURRING_TYPES },
    mode: { type: 'choice', choices: RECURRING_MODES },
    partner_id: { type: 'uuid' },
    starts_on: { type: 'date' },
    ends_on: { type: 'date' },
    active: { type: 'boolean' },
    next_on: { type: 'date' },
    made: { type: 'integer' },
    created_at: { type: 'instant', notNull: true },
    updated_at: { type: 'instant' },
  },
  defaultSort: '-created_at',
};

const one = { tag: TAG, params: Type.Object({ id: uuid() }) } as const;

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'recurring_documents:read',
    path: COLLECTION,
    id: 'listRecurringDocuments',
    summary: 'List recurring documents',
    description: 'Those whose documents you may read, newest first.',
    list,
    row: Listed,
    rows: ({ caller }) => ({
      from: 'recurring_documents',
      where: readableTypes(caller),
      toJson: (row: JsonRow) => recurringToJson(fromRow(RecurringDocument, row)),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'recurring_documents:create',
    method: 'POST',
    path: COLLECTION,
    id: 'createRecurringDocument',
    summary: 'Make a document again and again',
    description:
      "At the company's midnight of each day on which it is due, a document is made of the template, once. Needs the permission to make " +
      'such documents. It runs on whoever leaves the company.',
    problems: ['forbidden', 'invalid_transition'],
    body: RecurringCreate,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, caller, body }) {
      assertMayMake(caller, body.document_type, body.mode ?? 'post');
      const row = await createRecurring(db, ctx, body);
      return created(`${COLLECTION}/${row.id}`, withNextRuns(row));
    },
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:read',
    method: 'GET',
    path: ONE,
    id: 'getRecurringDocument',
    summary: 'One recurring document',
    description: 'With the periods that it charges next.',
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, caller, params }) =>
      ok(withNextRuns(await findRecurring(reader, params.id, typesReadBy(caller)))),
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:update',
    method: 'PATCH',
    path: ONE,
    id: 'updateRecurringDocument',
    summary: 'Change a recurring document',
    description:
      'Counts for documents that are made from now on. The type, the interval and the first day stay: end it and make another one.',
    problems: ['forbidden', 'invalid_transition'],
    body: RecurringChange,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, caller, params, body, ifMatch }) {
      const { documentType, mode } = await findRecurring(db, params.id, typesReadBy(caller));
      assertMayMake(caller, documentType, body.mode ?? mode);
      return ok(withNextRuns(await changeRecurring(db, ctx, params.id, body, ifMatch)));
    },
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:delete',
    method: 'DELETE',
    path: ONE,
    id: 'deleteRecurringDocument',
    summary: 'Delete a recurring document',
    description: 'Possible until it has made something.',
    problems: ['invalid_transition'],
    responses: { 204: null },
    async handler({ db, ctx, caller, params, ifMatch }) {
      await findRecurring(db, params.id, typesReadBy(caller));
      await removeRecurring(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:update',
    method: 'POST',
    path: `${ONE}/pause`,
    id: 'pauseRecurringDocument',
    whenFull: 'reserve',
    summary: 'Pause a recurring document',
    description: 'Nothing is made until it is resumed.',
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, caller, params, ifMatch }) {
      await findRecurring(db, params.id, typesReadBy(caller));
      return ok(withNextRuns(await pauseRecurring(db, ctx, params.id, ifMatch)));
    },
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:update',
    method: 'POST',
    path: `${ONE}/resume`,
    id: 'resumeRecurringDocument',
    whenFull: 'reserve',
    summary: 'Resume a recurring document',
    description: 'What was due while it was paused is made only with `catch_up`.',
    problems: ['forbidden'],
    body: Type.Object(
      {
        catch_up: Type.Optional(
          flag({ description: 'Whether what was due while it was paused is made, by the rule `missed`' }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, caller, params, body, ifMatch }) {
      const { documentType, mode } = await findRecurring(db, params.id, typesReadBy(caller));
      assertMayMake(caller, documentType, mode);
      return ok(withNextRuns(await resumeRecurring(db, ctx, params.id, body?.catch_up ?? false, ifMatch)));
    },
  }),
  defineRoute({
    ...one,
    access: 'recurring_documents:update',
    method: 'POST',
    path: `${ONE}/run`,
    id: 'runRecurringDocument',
    summary: 'Make the next one now',
    description:
      'Makes the document of the next period before it is due; the one after it is then the next. If two ask for the same period, naming ' +
      'it, it is made once.',
    problems: [
      'forbidden',
      'invalid_transition',
      'period_closed',
      'insufficient_stock',
      'credit_limit',
      'budget_exceeded',
      'stale_version',
    ],
    body: Type.Object(
      {
        period_from: Type.Optional(
          day({ description: 'First day of the period that is meant; refused if it is not the next one any more' }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 201: dataBody(RunAnswer) },
    async handler({ db, ctx, caller, params, body, ifMatch }) {
      const { documentType, mode, nextFrom } = await findRecurring(db, params.id, typesReadBy(caller));
      assertMayMake(caller, documentType, mode);
      const run = await makeNow(db, ctx, params.id, { ifMatch, nextFrom: body?.period_from ?? nextFrom });
      return created(`${COLLECTION}/${params.id}/runs`, runToJson(run));
    },
  }),
  ...runRoutes,
];
