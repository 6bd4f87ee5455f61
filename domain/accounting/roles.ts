/** What the company's own accounts are for, and by which code the chart that companies begin with has them (PGC for small companies). */
export const ACCOUNT_ROLES = {
  /** Customers, suppliers of goods, creditors of services and of assets (due within a year, or later), where the partner's group names none. */
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
  /** VAT of taxes that have no accounts of their own. */
  outputTax: '477',
  inputTax: '472',
  /** Income tax that customers withhold, and that is withheld from suppliers. */
  withholdingSuffered: '473',
  withholdingMade: '4751',
  bank: '572',
  cash: '570',
  /** Bills of exchange that were accepted and are not collected or paid yet. */
  billsReceivable: '431',
  billsPayable: '401',
  customerAdvances: '438',
  supplierAdvances: '407',
  /** Discounts for prompt payment. */
  salesDiscounts: '706',
  purchaseDiscounts: '606',
  /** Small differences that are given up. */
  writeOffLoss: '659',
  writeOffGain: '759',
  stock: '300',
  stockVariation: '610',
  yearResult: '129',
} as const;

export type AccountRole = keyof typeof ACCOUNT_ROLES;

/** The member of `/api/config/accounting` that names the account of a role. */
export function roleMember(role: AccountRole): `${AccountRole}AccountId` {
  return `${role}AccountId`;
}
