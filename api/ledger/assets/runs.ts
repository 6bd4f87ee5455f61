/** Runs of depreciation. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { AssetRun } from '../../../db/models/ledger/assets.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { RUN_FREQUENCIES } from '../../../domain/ledger/assets/types.ts';
import { runDepreciation } from '../../../services/ledger/assets/runs/perform.ts';
import { readRun, runHead } from '../../../services/ledger/assets/runs/read.ts';
import { RunBody, UndoBody } from '../../../services/ledger/assets/runs/schemas.ts';
import { completeRequest, startRun } from '../../../services/ledger/assets/runs/task.ts';
import { undoRun } from '../../../services/ledger/assets/runs/undo.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Fixed assets';
const COLLECTION = '/api/asset-runs';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const STATUSES = ['posted', 'undone'] as const;

const head = {
  id: uuid(),
  code: text(),
  to: day({ description: 'The day up to which it went' }),
  frequency: choice(RUN_FREQUENCIES, { description: 'Whether it entered months or fiscal years' }),
  status: choice(STATUSES),
  automatic: flag({ description: 'Whether the service began it' }),
  assets: integer({ description: 'Number of assets that it depreciated' }),
  total: amount({ description: 'Sum of the depreciation' }),
  undoneAt: nullable(instant({ description: 'When it was undone' })),
  createdBy: nullable(uuid()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};
const Head = Type.Object(head, { title: 'AssetRunHead' });
const Answer = Type.Object(
  {
    ...head,
    entries: Type.Array(
      Type.Object({
        entryId: uuid(),
        date: day(),
        number: nullable(integer({ description: 'Number of the entry; null until it is given' })),
        reversalId: nullable(uuid({ description: 'The entry that reverses it' })),
        amount: amount(),
      }),
      { description: 'Its entries, one for each month or year' },
    ),
  },
  { title: 'AssetRun' },
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', searchable: true },
    to: { type: 'date', notNull: true },
    frequency: { type: 'choice', choices: RUN_FREQUENCIES },
    status: { type: 'choice', choices: STATUSES },
    automatic: { type: 'boolean' },
    assets: { type: 'integer' },
    total: { type: 'number' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-to',
};

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'assets:read',
    path: COLLECTION,
    id: 'listAssetRuns',
    summary: 'Runs of depreciation, the latest first',
    list,
    row: Head,
    rows: () => ({ from: 'asset_runs', toJson: (row: JsonRow) => runHead(fromRow(AssetRun, row)) }),
  }),
  defineRoute({
    tag: TAG,
    access: 'assets:create',
    method: 'POST',
    path: COLLECTION,
    id: 'startAssetRun',
    summary: 'Enter the depreciation that is due',
    description:
      'In the background: an entry for each month or fiscal year, with a pair of lines for each account, cost center and project. Each ' +
      'day of an asset is depreciated once, so that a repeat enters nothing. Its task ends with the id of the run; a preview shows the ' +
      'entries.',
    problems: ['period_closed'],
    body: RunBody,
    bodyOptional: true,
    responses: { 202: TaskStarted },
    handler: async ({ db, ctx, body }) => taskStarted(await startRun(db, ctx, body ?? {})),
    async previewWork({ db, ctx, body }) {
      const run = await runDepreciation(db, ctx, await completeRequest(db, ctx, body ?? {}));
      return { document: run === null ? null : runHead(run), complete: true };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'assets:read',
    method: 'GET',
    path: ONE,
    id: 'getAssetRun',
    summary: 'One run of depreciation',
    description: 'With its entries.',
    params: Id,
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => ok(await readRun(reader, params.id)),
  }),
  defineRoute({
    tag: TAG,
    access: 'assets:update',
    method: 'POST',
    path: `${ONE}/undo`,
    id: 'undoAssetRun',
    summary: 'Undo the last run',
    description: 'Its entries are reversed, and its days can be depreciated again.',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    body: UndoBody,
    bodyOptional: true,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, params, body, ifMatch }) {
      await undoRun(db, ctx, params.id, { ...body, ifMatch });
      return ok(await readRun(db, params.id));
    },
  }),
];
