/** All reports, in the order of the docs page. */
import { aging } from './aging.ts';
import { cashflow } from './cashflow.ts';
import type { Report } from './declaration.ts';
import { journal } from './journal.ts';
import { ledger } from './ledger.ts';
import { paymentsSummaryReport } from './payments-summary.ts';
import { profitReports } from './profit.ts';
import { stockMovementsReport } from './stock-movements.ts';
import { stockRotation } from './stock-rotation.ts';
import { stockValuation } from './stock-valuation.ts';
import { trialBalance } from './trial-balance.ts';

export const REPORTS: readonly Report[] = [
  paymentsSummaryReport,
  aging,
  cashflow,
  ...profitReports,
  stockValuation,
  stockMovementsReport,
  stockRotation,
  trialBalance,
  ledger,
  journal,
];
