/** All reports, in the order of the docs page. */
import { aging } from './aging.ts';
import { cashflow } from './cashflow.ts';
import type { Report } from './declaration.ts';
import { paymentsSummaryReport } from './payments-summary.ts';

export const REPORTS: readonly Report[] = [paymentsSummaryReport, aging, cashflow];
