/** Purposes of the company's own accounts, with their codes in the default chart (PGC for small companies). */
export const ACCOUNT_ROLES = {
  /**
   * Customers, suppliers of goods, and creditors for services and assets (due within a year, or later); used if the
   * partner's group names no account.
   */
  receivable: '430',
  payable: '400',
  payableServices: '410',
  payableAssets: '523',
  payableAssetsLongTerm: '173',
  salesGoods: '700',
  salesServices: '705',
  salesReturns: '708',
  purchaseGoods: '600',
  purchaseServices: '629',
  purchaseReturns: '608',
  /** VAT of taxes without accounts of their own. */
  outputTax: '477',
  inputTax: '472',
  /** VAT of the cash basis until it accrues. */
  outputTaxPending: '4778',
  inputTaxPending: '4728',
  /** Income tax withheld by customers, and from suppliers. */
  withholdingSuffered: '473',
  withholdingMade: '4751',
  bank: '572',
  cash: '570',
  /** Accepted bills of exchange not yet collected or paid. */
  billsReceivable: '431',
  billsPayable: '401',
  customerAdvances: '438',
  supplierAdvances: '407',
  /** Prompt payment discounts. */
  salesDiscounts: '706',
  purchaseDiscounts: '606',
  /** Bank fees for returned payments. */
  bankCharges: '626',
  /** Small differences written off. */
  writeOffLoss: '659',
  writeOffGain: '759',
  /** Debts that customers may not pay: doubtful customers, what is provided for them, its expense and income, and debts that are lost. */
  doubtfulReceivable: '436',
  debtImpairment: '490',
  debtImpairmentLoss: '694',
  debtImpairmentReversal: '794',
  badDebts: '650',
  /** Exchange differences. */
  exchangeLoss: '668',
  exchangeGain: '768',
  /** Expense paid for, and income charged, before their months. */
  prepaidExpenses: '480',
  deferredIncome: '485',
  stock: '300',
  stockVariation: '610',
  /** Variances: the part of a cost above the standard cost. */
  costVariance: '6109',
  /** Goods and services received or delivered and not yet invoiced. */
  purchasesPending: '4009',
  salesPending: '4309',
  /** VAT that the definitive pro rata of a year deducts in addition, or takes back. */
  taxAdjustmentGain: '639',
  taxAdjustmentLoss: '634',
  /** VAT of filed returns, owed to and by the tax office. */
  taxPayable: '4750',
  taxReceivable: '4700',
  /** Import VAT that is not deferred, owed to customs or to the forwarder that paid it. */
  customsPayable: '4750',
  /** Wages, employer contributions to social security, and the amounts owed for both. */
  wages: '640',
  severance: '641',
  /** Expenses of employees that are paid back. */
  travelExpenses: '629',
  employerContributions: '642',
  socialSecurityPayable: '476',
  wagesPayable: '465',
  /** Advances to employees, and benefits in kind, already an expense. */
  staffAdvances: '460',
  staffExpenses: '649',
  /** Counterpart of opening stock, until the opening entry clears it. */
  openingBalance: '555',
  yearResult: '129',
} as const;

export type AccountRole = keyof typeof ACCOUNT_ROLES;

/** The member of `/api/config/accounting` for a role. */
export function roleMember(role: AccountRole): `${AccountRole}AccountId` {
  return `${role}AccountId`;
}
