/** Splits a tax-inclusive bank charge into the net expense and deductible tax (decision 0159). */
import { type Decimal, decimal, round } from '../../money.ts';
import { lostTaxes } from './deduction.ts';
import type { EntryLine } from './entries.ts';
import type { InvoiceLineToEnter } from './invoice.ts';
import { buildInvoiceLines } from './invoice-entry.ts';

export interface ChargeTax
  extends Pick<InvoiceLineToEnter, 'operation' | 'use' | 'deduction' | 'taxGroupId' | 'taxRate'> {
  /** Percentage of common tax that is deducted. */
  readonly proRata: Decimal;
  /** Account of deducted tax. */
  readonly inputAccountId: string;
}

/**
 * Splits a gross amount into lines, as an invoice of the bank would enter them. A refund (a credit) takes the tax back.
 * @param gross on the expense account
 * @param places decimal places of amounts
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
  const [, ...lines] = buildInvoiceLines({
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
