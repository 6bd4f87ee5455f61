/** SQL of amounts in the company's currency. Those of documents in it are stored once, in the column without `company_`. */

type Column =
  | 'subtotal'
  | 'tax_total'
  | 'withholding_amount'
  | 'total'
  | 'paid_total'
  | 'amount'
  | 'lost_tax'
  | 'settled';

/** @param alias of documents, document_lines, payments or payment_applications */
export function inCompany(alias: string, column: Column): string {
  return `coalesce(${alias}.company_${column}, ${alias}.${column})`;
}

/** The amount of a line with the tax that cannot be deducted, in the company's currency. @param alias of document_lines */
export function companyCost(alias: string): string {
  return `(${inCompany(alias, 'amount')} + ${inCompany(alias, 'lost_tax')})`;
}

/** The outstanding amount of a document, in the company's currency. @param alias of documents */
export function companyOutstanding(alias: string): string {
  return `(${inCompany(alias, 'total')} - ${inCompany(alias, 'paid_total')})`;
}

/** The unapplied amount of a payment, in the company's currency. @param alias of payments */
export function unappliedInCompany(alias: string): string {
  return `case when ${alias}.company_amount is null then ${alias}.amount - ${alias}.applied_total
    else ${alias}.company_amount * (1 - ${alias}.applied_total / ${alias}.amount) end`;
}
