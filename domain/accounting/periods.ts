/** Accounting periods: months of a fiscal year, into which documents and entries are dated while they are open. */

/** The states of a period, by the letters that stand for them in the database and the interface. */
export const PERIOD_STATUS = { open: 'O', closed: 'C' } as const;
export type PeriodStatus = (typeof PERIOD_STATUS)[keyof typeof PERIOD_STATUS];
export const PERIOD_STATUSES = Object.values(PERIOD_STATUS);
