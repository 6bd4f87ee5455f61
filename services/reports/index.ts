/** All reports, in the order of the docs page. */
import { absenteeism } from './absenteeism.ts';
import { aging } from './aging.ts';
import { agingLines } from './aging-lines.ts';
import { balanceSheetReport } from './balance-sheet.ts';
import { cashflow } from './cashflow.ts';
import { envelopeName, type Report } from './declaration.ts';
import { executive } from './executive.ts';
import { headcount } from './headcount.ts';
import { journal } from './journal.ts';
import { laborCost } from './labor-cost.ts';
import { ledger } from './ledger.ts';
import { model111Report } from './model111.ts';
import { model130Report } from './model130.ts';
import { model190Report } from './model190.ts';
import { model303Report } from './model303.ts';
import { model390Report } from './model390.ts';
import { paymentsSummaryReport } from './payments-summary.ts';
import { payslipReport } from './payslip.ts';
import { profitReports } from './profit.ts';
import { profitAndLossReport } from './profit-and-loss.ts';
import { profitLines } from './profit-lines.ts';
import { stockMovementsReport } from './stock-movements.ts';
import { stockRotation } from './stock-rotation.ts';
import { stockValuation } from './stock-valuation.ts';
import { trialBalance } from './trial-balance.ts';
import { vatReport } from './vat.ts';
import { withholdingCertificate } from './withholding-certificate.ts';

export const REPORTS: readonly Report[] = [
  balanceSheetReport,
  profitAndLossReport,
  vatReport,
  model111Report,
  model130Report,
  model190Report,
  withholdingCertificate,
  model303Report,
  model390Report,
  paymentsSummaryReport,
  payslipReport,
  laborCost,
  headcount,
  absenteeism,
  aging,
  agingLines,
  cashflow,
  executive,
  ...profitReports,
  profitLines,
  stockValuation,
  stockMovementsReport,
  stockRotation,
  trialBalance,
  ledger,
  journal,
];

/** The report of a name as in envelopes: tax_model303. */
export function namedReport(name: string): Report | undefined {
  return REPORTS.find((report) => envelopeName(report) === name);
}

/** @throws Error for a name that no report has */
export function findReport(name: string): Report {
  const found = REPORTS.find((report) => report.name === name);
  if (found === undefined) throw new Error(`there is no report ${name}`);
  return found;
}
