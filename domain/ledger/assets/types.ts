/** Words of fixed assets. */

/** How an asset is depreciated; `none` for what does not wear out, such as land. */
export const DEPRECIATION_METHODS = ['linear', 'declining', 'digits', 'none'] as const;
export type DepreciationMethod = (typeof DEPRECIATION_METHODS)[number];

/** How months are counted in which an asset is in use for some days only. */
export const PARTIAL_MONTHS = ['days', 'months'] as const;
export type PartialMonths = (typeof PARTIAL_MONTHS)[number];

export const ASSET_STATUSES = ['active', 'disposed'] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** The changes of the values of an asset. */
export const MOVEMENT_KINDS = [
  'acquisition',
  'takeover',
  'depreciation',
  'improvement',
  'impairment',
  'impairment_reversal',
  'disposal',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** The span that a run enters at once: a month, or a fiscal year. */
export const RUN_FREQUENCIES = ['month', 'year'] as const;
export type RunFrequency = (typeof RUN_FREQUENCIES)[number];
