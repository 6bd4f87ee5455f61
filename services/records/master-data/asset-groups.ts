import { AssetGroup } from '../../../db/models/ledger/assets.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { DEPRECIATION_METHODS } from '../../../domain/ledger/assets/types.ts';
import { amount, choice, flag, integer, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Accounts with the values of a group's assets, which must stay where they were entered. */
const HELD = ['assetAccountId', 'accumulatedAccountId', 'impairmentAccountId'] as const;

const account = (description: string) => ({
  schema: uuid({ description }),
  reference: { table: 'accounts', mustBeActive: true },
});

/** Groups of fixed assets, with their accounts and how they are usually depreciated (decision 0330). */
export const assetGroups = declareResource({
  name: 'AssetGroup',
  plural: 'AssetGroups',
  path: '/api/asset-groups',
  tag: 'Fixed assets',
  model: AssetGroup,
  defaultSort: 'name',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    assetAccountId: { ...account('Of the cost, such as 213'), required: true },
    accumulatedAccountId: account('Of the accumulated depreciation: 280 or 281'),
    expenseAccountId: account('Of the depreciation: 680 or 681'),
    impairmentAccountId: account('Of impairments: 290 or 291'),
    impairmentLossAccountId: account('Of the expense of impairments: 690 or 691'),
    impairmentReversalAccountId: account('Of the reversal of impairments: 790 or 791'),
    gainAccountId: account('Of gains from disposals: 770 or 771'),
    lossAccountId: account('Of losses from disposals: 670 or 671'),
    method: {
      schema: choice(DEPRECIATION_METHODS, {
        description: 'Of new assets without one. digits: the sum of digits; none: not depreciated, such as land',
      }),
      default: 'linear',
    },
    usefulLifeMonths: {
      schema: integer({ minimum: 1, maximum: 1200, description: 'Of new assets without one' }),
    },
    maxPercent: {
      schema: amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'The greatest linear percentage of a year by the official table; beyond it an asset has a warning',
      }),
    },
    maxYears: {
      schema: integer({ minimum: 1, maximum: 100, description: 'The greatest useful life by the official table' }),
    },
    linearOnly: {
      schema: flag({ description: 'Whether tax law allows only linear depreciation, as for buildings and furniture' }),
      default: false,
    },
    active: { schema: flag(), default: true },
  },
  async onPatch({ trx }, values, current) {
    const moved = HELD.find(
      (member) => values[member] !== undefined && current[member] !== null && values[member] !== current[member],
    );
    if (moved === undefined) return values;
    const [used] = await query(trx, 'select id from assets where group_id = :id::uuid limit 1', { id: current.id });
    if (used === undefined) return values;
    const message = `${moved} cannot be changed because the group has assets, whose values are on it; make another group`;
    throw new ServiceError('in_use', message);
  },
});
