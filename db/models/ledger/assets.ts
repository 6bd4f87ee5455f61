/** Fixed assets: their groups, what changes their values, and runs of depreciation. */
import type {
  AssetStatus,
  DepreciationMethod,
  MovementKind,
  PartialMonths,
  RunFrequency,
} from '../../../domain/ledger/assets/types.ts';
import { day, exact, flag, generated, instant, integer, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class AssetGroup extends versionedTable('asset_groups', {
  code: text(),
  name: text(),
  assetAccountId: uuid(),
  accumulatedAccountId: optional(uuid()),
  expenseAccountId: optional(uuid()),
  impairmentAccountId: optional(uuid()),
  impairmentLossAccountId: optional(uuid()),
  impairmentReversalAccountId: optional(uuid()),
  gainAccountId: optional(uuid()),
  lossAccountId: optional(uuid()),
  method: text<DepreciationMethod>(),
  usefulLifeMonths: optional(integer()),
  /** By the official table; null where it has none. */
  maxPercent: optional(exact()),
  maxYears: optional(integer()),
  /** Whether tax law allows nothing but linear depreciation. */
  linearOnly: flag(),
  active: flag(),
}) {
  static override entityType = 'AssetGroup';
  static override access = 'assets:read' as const;
}

export class Asset extends versionedTable('assets', {
  code: text(),
  name: text(),
  groupId: uuid(),
  status: text<AssetStatus>(),
  acquiredOn: day(),
  inUseOn: day(),
  initialCost: exact(),
  residualValue: exact(),
  method: text<DepreciationMethod>(),
  usefulLifeMonths: optional(integer()),
  percent: optional(exact()),
  partialMonths: text<PartialMonths>(),
  costCenterId: optional(uuid()),
  projectId: optional(uuid()),
  documentLineId: optional(uuid()),
  serialNumber: optional(text()),
  location: optional(text()),
  notes: optional(text()),
  initialAccumulated: exact(),
  takenOverTo: optional(day()),
  /** Sums of its movements, which change without a new version, like the days below. */
  cost: exact(),
  accumulated: exact(),
  impairment: exact(),
  netBookValue: generated(exact()),
  depreciatedTo: optional(day()),
  /** The last day of its useful life. */
  endsOn: optional(day()),
  /** The first day that is not depreciated; null if none is left. */
  nextFrom: optional(day()),
  disposedOn: optional(day()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Asset';
  static override access = 'assets:read' as const;
  static override hidden: readonly string[] = [
    'tenantId',
    'initialCost',
    'initialAccumulated',
    'takenOverTo',
    'nextFrom',
    'createdBy',
  ];
}

/** Changes of the values of an asset: rows are only inserted. */
export class AssetMovement extends table('asset_movements', {
  assetId: uuid(),
  kind: text<MovementKind>(),
  date: day(),
  /** Changes, signed. */
  cost: exact(),
  accumulated: exact(),
  impairment: exact(),
  /** Disposals of a part only. */
  residualValue: exact(),
  initialCost: exact(),
  /** Improvements only. */
  usefulLifeMonths: integer(),
  fromDate: optional(day()),
  toDate: optional(day()),
  runId: optional(uuid()),
  entryId: optional(uuid()),
  documentLineId: optional(uuid()),
  proceeds: optional(exact()),
  description: optional(text()),
  /** Whether it counts: neither undone nor the opposite of what is undone. */
  standing: flag(),
  undoesId: optional(uuid()),
  createdBy: optional(uuid()),
  createdAt: instant(),
}) {}

export class AssetRun extends versionedTable('asset_runs', {
  code: text(),
  to: day(),
  frequency: text<RunFrequency>(),
  status: text<'posted' | 'undone'>(),
  automatic: flag(),
  assets: integer(),
  total: exact(),
  undoneAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'AssetRun';
  static override access = 'assets:read' as const;
}
