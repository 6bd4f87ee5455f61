/**
 * The entry of a posted invoice (PGC): the partner with the amount due, each income or expense account with its net amounts, the taxes by
 * rate and operation, and withholding.
 */
import { decimal } from '../money.ts';
import { type EntryLine, entryLine, type LineTax, type Side } from './entries.ts';
import type { InvoiceToEnter } from './invoice.ts';
import { enterTreatment, mergeParts } from './treatment-entry.ts';
import { treatmentsOf } from './treatments.ts';

/** @returns lines that balance: first the partner's with the invoice's total (even 0), then income or expense, taxes, withholding */
export function invoiceEntry(invoice: InvoiceToEnter): EntryLine[] {
  const own: Side = invoice.side === 'sales' ? 'credit' : 'debit';
  const other: Side = own === 'credit' ? 'debit' : 'credit';
  const groups = treatmentsOf(invoice).map((treatment) => enterTreatment(invoice, own, treatment));
  const bases = mergeParts(groups.flatMap((group) => group.bases)).map(({ accountId, amount, ...more }) =>
    entryLine(own, accountId, amount, more),
  );
  const rest = [...bases, ...groups.flatMap((group) => group.taxes), ...withheld(invoice, other)];
  const said = rest.filter(({ debit, credit, tax }) => tax !== null || debit !== '0' || credit !== '0');
  const partner = entryLine(other, invoice.partnerAccountId, invoice.total, { partnerId: invoice.partnerId });
  return [partner, ...(said.length > 0 ? said : rest.slice(0, 1))];
}

function withheld({ withholding, rectifying }: InvoiceToEnter, side: Side): EntryLine[] {
  const { rate, base, amount, accountId } = withholding;
  if (decimal(rate).eq(0)) return [];
  const tax: LineTax = {
    kind: 'withholding',
    operation: 'domestic',
    use: 'current',
    rectifying,
    groupId: null,
    rate,
    base,
    amount,
  };
  return [entryLine(side, accountId, amount, { tax })];
}
