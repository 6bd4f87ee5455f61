/** All reports, in the order of the documentation. */

import { assetRegister } from '../accounting/assets.ts';
import { balanceSheetReport } from '../accounting/balance-sheet.ts';
import { budgetReport } from '../accounting/budget.ts';
import { cashFlowStatementReport } from '../accounting/cash-flow-statement.ts';
import { deferrals } from '../accounting/deferrals.ts';
import { depreciationSchedule } from '../accounting/depreciation-schedule.ts';
import { equityChangesReport } from '../accounting/equity-changes.ts';
import { generalLedger } from '../accounting/general-ledger.ts';
import { inventoriesAndAccounts } from '../accounting/inventories-and-accounts.ts';
import { journal } from '../accounting/journal.ts';
import { ledger } from '../accounting/ledger.ts';
import { legalBooks } from '../accounting/legal-books.ts';
import { loansReport } from '../accounting/loans.ts';
import { partnerBalances } from '../accounting/partner-balances.ts';
import { profitAndLossReport } from '../accounting/profit-and-loss.ts';
import { trialBalance } from '../accounting/trial-balance.ts';
import { consolidatedBalanceSheet } from '../consolidation/consolidated-balance-sheet.ts';
import { consolidatedProfitAndLoss } from '../consolidation/consolidated-pl.ts';
import { consolidatedTrialBalance } from '../consolidation/consolidated-trial-balance.ts';
import { envelopeName, type Report } from '../engine/declaration.ts';
import { executive } from '../overview/executive.ts';
import { aging } from '../payments/aging.ts';
import { agingLines } from '../payments/aging-lines.ts';
import { badDebts } from '../payments/bad-debts.ts';
import { bankReconciliation } from '../payments/bank-reconciliation.ts';
import { cashflow } from '../payments/cashflow.ts';
import { paymentsSummaryReport } from '../payments/payments-summary.ts';
import { statementReports } from '../payments/statement.ts';
import { commissionLines, commissions } from '../sales/commissions.ts';
import { profitReports } from '../sales/profit.ts';
import { profitLines } from '../sales/profit-lines.ts';
import { absenteeism } from '../staff/absenteeism.ts';
import { headcount } from '../staff/headcount.ts';
import { laborCost } from '../staff/labor-cost.ts';
import { payslipReport } from '../staff/payslip.ts';
import { timeSheet } from '../staff/time-sheet.ts';
import { costVariances } from '../stock/cost-variances.ts';
import { stockAge } from '../stock/stock-age.ts';
import { stockMovementsReport } from '../stock/stock-movements.ts';
import { stockRotation } from '../stock/stock-rotation.ts';
import { stockValuation } from '../stock/stock-valuation.ts';
import { model123Report, model193Report } from '../tax-returns/capital.ts';
import { cashBasisReport } from '../tax-returns/cash-basis.ts';
import { model111Report } from '../tax-returns/model111.ts';
import { model130Report } from '../tax-returns/model130.ts';
import { model190Report } from '../tax-returns/model190.ts';
import { model200Report } from '../tax-returns/model200.ts';
import { model303Report } from '../tax-returns/model303.ts';
import { model347Report } from '../tax-returns/model347.ts';
import { model349Report } from '../tax-returns/model349.ts';
import { model369Report } from '../tax-returns/model369.ts';
import { model390Report } from '../tax-returns/model390.ts';
import { model420Report } from '../tax-returns/model420.ts';
import { model425Report } from '../tax-returns/model425.ts';
import { operationsLetter } from '../tax-returns/operations-letter.ts';
import { model115Report, model180Report } from '../tax-returns/rents.ts';
import { vatReport } from '../tax-returns/vat.ts';
import { vatBookInvestmentGoods } from '../tax-returns/vat-book-investment-goods.ts';
import { vatBookIssued } from '../tax-returns/vat-book-issued.ts';
import { vatBookReceived } from '../tax-returns/vat-book-received.ts';
import { withholdingCertificate } from '../tax-returns/withholding-certificate.ts';

export const REPORTS: readonly Report[] = [
  balanceSheetReport,
  profitAndLossReport,
  equityChangesReport,
  cashFlowStatementReport,
  inventoriesAndAccounts,
  consolidatedBalanceSheet,
  consolidatedProfitAndLoss,
  consolidatedTrialBalance,
  legalBooks,
  budgetReport,
  vatReport,
  model111Report,
  model130Report,
  model190Report,
  withholdingCertificate,
  model303Report,
  model390Report,
  model115Report,
  model123Report,
  model180Report,
  model193Report,
  model200Report,
  cashBasisReport,
  vatBookIssued,
  vatBookReceived,
  vatBookInvestmentGoods,
  model347Report,
  operationsLetter,
  model349Report,
  model369Report,
  model420Report,
  model425Report,
  paymentsSummaryReport,
  payslipReport,
  timeSheet,
  laborCost,
  headcount,
  absenteeism,
  aging,
  agingLines,
  badDebts,
  ...statementReports,
  cashflow,
  bankReconciliation,
  executive,
  ...profitReports,
  profitLines,
  commissions,
  commissionLines,
  stockValuation,
  stockMovementsReport,
  stockRotation,
  stockAge,
  costVariances,
  assetRegister,
  depreciationSchedule,
  loansReport,
  trialBalance,
  partnerBalances,
  ledger,
  generalLedger,
  journal,
  deferrals,
];

/** Finds a report by its name in envelopes: tax_model303. */
export function namedReport(name: string): Report | undefined {
  return REPORTS.find((report) => envelopeName(report) === name);
}

/** Finds a report. @throws Error for an unknown name */
export function findReport(name: string): Report {
  const found = REPORTS.find((report) => report.name === name);
  if (found === undefined) throw new Error(`there is no report ${name}`);
  return found;
}
