/** A charge that a bank books with its tax included: net amount on its account, and the tax that it deducts (decision 0159). */
import { type Decimal, decimal, round } from '../money.ts';
import { lostTaxes } from './deduction.ts';
import type { EntryLine } from './entries.ts';
import type { InvoiceLineToEnter } from './invoice.ts';
import { invoiceEntry } from './invoice-entry.ts';

export interface ChargeTax
  extends Pick<InvoiceLineToEnter, 'operation' | 'use' | 'deduction' | 'taxGroupId' | 'taxRate'> {
  /** Percentage of what is deducted of common tax. */
  readonly proRata: Decimal;
  /** The account of the tax that is deducted. */
  readonly inputAccountId: string;
}

/**
 * The lines of a gross amount, as an invoice of the bank would enter them. What it gives back (a credit) takes the tax back.
 * @param gross on the account of the expense
 * @param places decimals of amounts
 */
export function chargeLines(gross: EntryLine, tax: ChargeTax, places: number): EntryLine[] {
  const { accountId, partnerId, projectId, costCenterId, description } = gross;
  const { taxGroupId, taxRate: rate, inputAccountId } = tax;
  const total = decimal(gross.debit).minus(gross.credit);
  const base = round(total.times(100).div(decimal(rate).plus(100)), places);
  const unused = { output: '', surcharge: '', intraEuOutput: '', intraEuInput: '' };
  const amount: Decimal = total.minus(base).toFixed();
  const line = {
    ...tax,
    accountId,
    amount: base,
    surchargeRate: '0',
    selfCharge: null,
    projectId,
    costCenterId,
  } as const;
  const taxes = [{ taxGroupId, rate, surchargeRate: '0', amount, surchargeAmount: '0' }] as const;
  const [lostTax = '0'] = lostTaxes({ lines: [line], taxes, places }, tax.proRata);
  const [, ...lines] = invoiceEntry({
    side: 'purchase',
    rectifying: total.lt(0),
    places,
    partnerId: '',
    partnerAccountId: '',
    total: total.toFixed(),
    lines: [{ ...line, lostTax }],
    taxes,
    taxAccounts: new Map([[taxGroupId, { ...unused, input: inputAccountId }]]),
    withholdings: [],
  });
  return lines.map((entered) => ({ ...entered, partnerId, description }));
}
