import { Asset } from '../../../db/models/ledger/assets.ts';
import { ASSET_STATUSES, DEPRECIATION_METHODS, PARTIAL_MONTHS } from '../../../domain/ledger/assets/types.ts';
import { enterAcquisition } from '../../ledger/assets/register/acquisition.ts';
import { lockAssets } from '../../ledger/assets/register/lock.ts';
import { assertUntouched, prepareChangedAsset, prepareNewAsset } from '../../ledger/assets/register/prepare.ts';
import { tableWarnings } from '../../ledger/assets/register/table-warnings.ts';
import { amount, choice, day, integer, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Fixed assets (decision 0330). Changes of their values are in `services/ledger/assets/acts/`. */
export const assets = declareResource({
  name: 'Asset',
  plural: 'Assets',
  path: '/api/assets',
  tag: 'Fixed assets',
  model: Asset,
  defaultSort: 'code',
  live: true,
  problems: ['in_use', 'invalid_transition'],
  fields: {
    code: {
      schema: label({ max: 30, description: 'Assigned by the service when absent' }),
      filled: true,
      searchable: true,
    },
    name: { schema: label(), required: true, searchable: true },
    groupId: {
      schema: uuid({ description: 'Its group, which has its accounts' }),
      required: true,
      write: 'create',
      reference: { table: 'asset_groups', mustBeActive: true },
    },
    status: { schema: choice(ASSET_STATUSES), filled: true, write: 'never' },
    documentLineId: {
      schema: uuid({
        description:
          "The line of a posted purchase invoice, on the group's account, that it was bought by; several may be of one line",
      }),
      write: 'create',
      reference: { table: 'document_lines' },
    },
    acquiredOn: {
      schema: day({ description: 'Defaults to the date of the invoice, or today' }),
      filled: true,
      write: 'create',
    },
    inUseOn: {
      schema: day({ description: 'From when on it is depreciated; defaults to the day of acquisition' }),
      filled: true,
    },
    cost: {
      schema: amount({
        minimum: 0,
        description:
          "In the company's currency, with improvements; 0 once it is disposed of. Defaults to what is left of the line",
      }),
      filled: true,
      write: 'create',
    },
    residualValue: { schema: amount({ minimum: 0, description: 'The value that is not depreciated' }), default: 0 },
    method: {
      schema: choice(DEPRECIATION_METHODS, {
        description:
          "Defaults to the group's. declining: a constant percentage; digits: the sum of digits; none: not depreciated",
      }),
      filled: true,
    },
    usefulLifeMonths: { schema: integer({ minimum: 1, maximum: 1200, description: "Defaults to the group's" }) },
    percent: {
      schema: amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description:
          'Declining: the percentage of each year; by default the linear one, weighted 1.5 below 5 years, 2 below 8, else 2.5, at least 11',
      }),
    },
    partialMonths: {
      schema: choice(PARTIAL_MONTHS, {
        description:
          'days: months count by the days in use; months: the month in which it comes into use counts wholly, the one in which it leaves ' +
          'does not',
      }),
      default: 'days',
    },
    accumulated: {
      schema: amount({
        minimum: 0,
        description: 'Accumulated depreciation; at creation that of an asset which is taken over from other books',
      }),
      default: 0,
      write: 'create',
    },
    depreciatedTo: {
      schema: day({ description: 'The last day depreciated; at creation the one up to which `accumulated` goes' }),
      write: 'create',
    },
    endsOn: { schema: day({ description: 'The last day of its useful life' }), write: 'never' },
    impairment: {
      schema: amount({ description: 'Impairment, which is taken off the value too' }),
      filled: true,
      write: 'never',
    },
    netBookValue: {
      schema: amount({ description: 'Cost less depreciation and impairment' }),
      filled: true,
      write: 'never',
    },
    disposedOn: { schema: day({ description: 'The day of its disposal' }), write: 'never' },
    costCenterId: {
      schema: uuid({ description: 'Of its depreciation; defaults to that of the line' }),
      reference: { table: 'cost_centers', mustBeActive: true },
    },
    projectId: {
      schema: uuid({ description: 'Of its depreciation; defaults to that of the line' }),
      reference: { table: 'projects', mustBeActive: true },
    },
    serialNumber: { schema: label({ max: 100, description: 'Serial number of the maker' }), searchable: true },
    location: { schema: label({ max: 200, description: 'Where it is' }), searchable: true },
    notes: { schema: text({ max: 2000 }) },
  },
  lock: ({ trx, ctx }) => lockAssets(trx, ctx),
  onCreate: ({ trx, ctx }, values) => prepareNewAsset(trx, ctx, values),
  onCreated: ({ trx, ctx }, row) => enterAcquisition(trx, ctx, row),
  onPatch: (_, values, current) => prepareChangedAsset(values, current),
  warn: tableWarnings,
  onDelete: ({ trx }, current) => assertUntouched(trx, current),
});
