/** The purposes of the company's own accounts, with their codes in the default chart (PGC for small companies). */
export const ACCOUNT_ROLES = {
  /**
   * Customers, suppliers of goods, and creditors for services and assets (due within a year, or later); used where the partner's group
   * names no account.
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
  /** Income tax withheld by customers, and withheld from suppliers. */
  withholdingSuffered: '473',
  withholdingMade: '4751',
  bank: '572',
  cash: '570',
  /** Accepted bills of exchange that are not collected or paid yet. */
  billsReceivable: '431',
  billsPayable: '401',
  customerAdvances: '438',
  supplierAdvances: '407',
  /** Prompt payment discounts. */
  salesDiscounts: '706',
  purchaseDiscounts: '606',
  /** What banks charge for payments that come back. */
  bankCharges: '626',
  /** Small differences written off. */
  writeOffLoss: '659',
  writeOffGain: '759',
  stock: '300',
  stockVariation: '610',
  /** Received or delivered, and not invoiced yet. */
  purchasesPending: '4009',
  salesPending: '4309',
  /** VAT that the definitive pro rata of a year deducts in addition, or no longer. */
  taxAdjustmentGain: '639',
  taxAdjustmentLoss: '634',
  /** VAT of filed returns: owed to the tax office, and by it. */
  taxPayable: '4750',
  taxReceivable: '4700',
  /** Wages, what the employer pays to social security besides, and what is owed of both. */
  wages: '640',
  employerContributions: '642',
  socialSecurityPayable: '476',
  wagesPayable: '465',
  /** What employees got in advance, and what they got in kind, which was an expense before. */
  staffAdvances: '460',
  staffExpenses: '649',
  /** Against opening stock, until the opening entry clears it. */
  openingBalance: '555',
  yearResult: '129',
} as const;

export type AccountRole = keyof typeof ACCOUNT_ROLES;

/** The member of `/api/config/accounting` for the account of a role. */
export function roleMember(role: AccountRole): `${AccountRole}AccountId` {
  return `${role}AccountId`;
}
