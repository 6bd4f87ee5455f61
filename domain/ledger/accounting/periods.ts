/** Accounting periods: months of a fiscal year that accept documents and entries while open. */

/** The states of a period, with their letters in the database and the API. */
export const PERIOD_STATUS = { open: 'O', closed: 'C' } as const;
export type PeriodStatus = (typeof PERIOD_STATUS)[keyof typeof PERIOD_STATUS];
export const PERIOD_STATUSES = Object.values(PERIOD_STATUS);
