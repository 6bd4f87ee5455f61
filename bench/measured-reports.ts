/** The reports that `npm run bench -- reports` measures, with their limits. */

/** Relative to the time with few lines, and in milliseconds. Reports without a ratio read the documents or days of their period. */
export interface Limit {
  readonly ratio?: number;
  readonly ms: number;
}

export interface MeasuredReport {
  /** Below /api/. */
  readonly path: string;
  readonly limit: Limit;
}

const BALANCES: Limit = { ratio: 2, ms: 150 };
/** Adds up to half a month of lines at either end of its period. */
const DAYS: Limit = { ratio: 4, ms: 150 };
/** A page reads the lines of its months, which are a hundred times as many in a long ledger. */
const PAGE: Limit = { ms: 100 };
/** Reports that sum balances many times, or read the lines or documents of their period. */
const TOGETHER: Limit = { ms: 300 };

export const YEAR = new Date().getUTCFullYear() - 1;
const WHOLE = `from=${YEAR}-01-01&to=${YEAR}-12-31`;
/** A range that includes everything. */
const ALL = `from=${YEAR - 5}-01-01&to=${YEAR + 1}-12-31&limit=100`;

/** Records of a filled ledger. */
interface Known {
  readonly accountId: string;
  readonly bankAccountId: string;
  readonly budgetId: string;
  readonly periodId: string;
  /** Last page of the account, through all years. */
  readonly lastPage: number;
  readonly latePage: number;
}

/** Reports of the previous year, and of days within its months. */
export function ofLedger(known: Known): Readonly<Record<string, MeasuredReport>> {
  return { ...books(known), ...statements(known), ...taxes(), ...closing(known) };
}

function books({ accountId, lastPage, latePage }: Known) {
  return {
    'trial balance': report(`trial-balance?${WHOLE}`, BALANCES),
    'eight columns': report(`trial-balance?type=8col&${WHOLE}`, BALANCES),
    'trial balance of days': report(`trial-balance?from=${YEAR}-02-11&to=${YEAR}-10-20`, DAYS),
    'trial balance by three digits': report(`trial-balance?${WHOLE}&level=3`, BALANCES),
    'trial balance by months': report(`trial-balance?${WHOLE}&by=month`),
    'trial balance by cost centers': report(`trial-balance?${WHOLE}&by=cost_center`),
    'ledger, a page': report(`ledger?account_id=${accountId}&${WHOLE}&limit=100`, PAGE),
    'ledger, the last page of five years': report(`ledger?account_id=${accountId}&${ALL}&page=${lastPage}`, PAGE),
    'general ledger, a late page': report(`general-ledger?${ALL}&page=${latePage}`),
    'partner balances': report(`partner-balances?${WHOLE}&limit=100`),
    'journal, a page': report(`journal?${WHOLE}&limit=100`, PAGE),
    'journal, a late page': report(`journal?${ALL}&page=${latePage}`, PAGE),
    'books for the register': report(`legal-books?year=${YEAR}`, PAGE),
  };
}

function statements({ budgetId }: Known) {
  return {
    'balance sheet': report(`balance-sheet?${WHOLE}`, BALANCES),
    'balance sheet by months': report(`balance-sheet?${WHOLE}&by=month`),
    'P&L': report(`pl?${WHOLE}`, BALANCES),
    'P&L by months': report(`pl?${WHOLE}&by=month`),
    'P&L by projects': report(`pl?${WHOLE}&by=project`),
    'P&L and budget': report(`pl?${WHOLE}&budget_id=${budgetId}`),
    budget: report(`budget?${WHOLE}`),
    'budget by months': report(`budget?${WHOLE}&by=month`),
    'inventories and annual accounts': report(`inventories-and-accounts?year=${YEAR}`),
    'changes in equity': report(`equity-changes?year=${YEAR}`),
    'cash flow statement': report(`cash-flow-statement?${WHOLE}`),
    // With the lines and invoices of a tenth of the partners, who are another company of the group.
    'consolidated balance sheet': report(`consolidated-balance-sheet?to=${YEAR}-12-31`),
    'consolidated P&L': report(`consolidated-pl?${WHOLE}`),
    'consolidated trial balance': report(`consolidated-trial-balance?to=${YEAR}-12-31`),
    executive: report(`executive?${WHOLE}`),
  };
}

/** Models of a month or of the year, of which a tenth of the purchases is withheld. */
function taxes() {
  const month = `year=${YEAR}&period=02`;
  const quarter = `year=${YEAR}&period=2T`;
  return {
    VAT: report(`vat?${WHOLE}`, BALANCES),
    'VAT book issued, a page': report(`tax/vat-book-issued?${quarter}&limit=100`),
    'VAT book received, a page': report(`tax/vat-book-received?${quarter}&limit=100`),
    'book of investment goods': report(`tax/vat-book-investment-goods?year=${YEAR}`),
    'cash basis': report(`tax/cash-basis?${WHOLE}`),
    ...models(['303'], month, BALANCES),
    ...models(['111', '115', '123', '349', '369'], quarter),
    ...models(['180', '190', '193', '200', '347', '390'], `year=${YEAR}`),
  };
}

function models(names: readonly string[], query: string, limit?: Limit) {
  return Object.fromEntries(names.map((name) => [`model ${name}`, report(`tax/model${name}?${query}`, limit)]));
}

function closing({ bankAccountId, periodId }: Known) {
  return {
    'bank reconciliation': report(`bank-reconciliation?bank_account_id=${bankAccountId}&to=${YEAR}-12-31&limit=100`),
    'checklist of a period': { path: `periods/${periodId}/checklist`, limit: TOGETHER },
  };
}

export const OF_DOCUMENTS: Readonly<Record<string, MeasuredReport>> = {
  dashboard: { path: 'dashboard/summary', limit: TOGETHER },
  aging: report('aging'),
  'bad debts': report('bad-debts'),
};

function report(path: string, limit: Limit = TOGETHER): MeasuredReport {
  return { path: `reports/${path}`, limit };
}
