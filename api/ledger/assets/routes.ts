/** Fixed assets besides their own rows: what changed their values, and the groups of the official table. */
import { Type } from 'typebox';
import type { JsonRow } from '../../../db/models/base.ts';
import { Asset, AssetMovement } from '../../../db/models/ledger/assets.ts';
import { findRow } from '../../../db/queries/find.ts';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { MOVEMENT_KINDS } from '../../../domain/ledger/assets/types.ts';
import { generateGroups } from '../../../services/ledger/assets/groups/generate.ts';
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
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { routes as acts } from './acts.ts';
import { routes as runs } from './runs.ts';

const TAG = 'Fixed assets';

const MovementAnswer = Type.Object(
  {
    id: uuid(),
    kind: choice(MOVEMENT_KINDS, { description: 'takeover: depreciation of other books that the asset brought along' }),
    date: day({ description: 'The day on which it counts' }),
    cost: amount({ description: 'Change of the cost' }),
    accumulated: amount({ description: 'Change of the accumulated depreciation' }),
    impairment: amount({ description: 'Change of the impairment' }),
    residualValue: amount({ description: 'Change of the residual value, by the disposal of a part' }),
    usefulLifeMonths: integer({ description: 'Change of the useful life, by an improvement' }),
    fromDate: nullable(day({ description: 'Depreciation: its first day' })),
    toDate: nullable(day({ description: 'Depreciation: its last day' })),
    runId: nullable(uuid({ description: 'The run that entered it' })),
    entryId: nullable(uuid({ description: 'The journal entry' })),
    documentLineId: nullable(uuid({ description: 'The line of the invoice, of the purchase or the sale' })),
    proceeds: nullable(amount({ description: 'Disposal: what it was sold for' })),
    description: nullable(text({ max: 500 })),
    standing: flag({ description: 'Whether it counts: neither undone nor the opposite of what is undone' }),
    undoesId: nullable(uuid({ description: 'The movement that it undoes' })),
    createdBy: nullable(uuid()),
    createdAt: instant(),
  },
  { title: 'AssetMovement' },
);

const list: ListDefinition = {
  fields: {
    kind: { type: 'choice', choices: MOVEMENT_KINDS },
    date: { type: 'date', notNull: true },
    runId: { type: 'uuid', column: 'run_id' },
    entryId: { type: 'uuid', column: 'entry_id' },
    standing: { type: 'boolean' },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'date',
};

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'assets:read',
    path: '/api/assets/:id/movements',
    id: 'listAssetMovements',
    summary: 'What changed the values of an asset',
    description: 'In the order of its days. What was undone stays, with its opposite.',
    params: Type.Object({ id: uuid() }),
    list,
    row: MovementAnswer,
    async rows({ reader, params }) {
      if ((await findRow(reader, Asset, { id: params.id })) === undefined) throw notFound('This asset');
      const toJson = ({ asset_id: _, initial_cost: __, ...row }: JsonRow) => AssetMovement.toJson(row);
      return { from: 'asset_movements', where: [fragment('asset_id = ?::uuid', params.id)], toJson };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'assets:create',
    method: 'POST',
    path: '/api/asset-groups/generate',
    id: 'generateAssetGroups',
    summary: 'Make the groups of the official table',
    description:
      'Those of the Spanish table (Ley 27/2014, article 12) that are missing, with the greatest percentage and useful life of each, and ' +
      'with accounts of the chart. Groups that are there stay as they are.',
    problems: ['invalid_transition'],
    responses: {
      200: dataBody(
        Type.Object(
          {
            created: integer(),
            existing: integer({ description: 'Number of those that were there' }),
            skipped: Type.Array(
              Type.Object({ code: text(), name: text(), account: text({ description: 'Account of the cost' }) }),
              { description: 'Those for which the chart lacks an account' },
            ),
          },
          { title: 'GeneratedAssetGroups' },
        ),
      ),
    },
    handler: async ({ db, ctx }) => ok(await generateGroups(db, ctx)),
  }),
  ...acts,
  ...runs,
];
