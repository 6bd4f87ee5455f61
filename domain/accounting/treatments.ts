/** Groups the lines of an invoice by tax treatment. */
import type { VatUse } from '../documents/vat.ts';
import { type Decimal, sum } from '../money.ts';
import type { InvoiceLineToEnter, InvoiceToEnter, SelfCharge } from './invoice.ts';
import type { TaxOperation } from './operations.ts';
import { distribute, groupBy, rateText } from './shares.ts';

/** Lines with the same tax treatment. */
export interface Treatment {
  readonly lines: readonly InvoiceLineToEnter[];
  readonly operation: TaxOperation;
  readonly use: VatUse;
  readonly taxGroupId: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly selfCharge: SelfCharge | null;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount: Decimal;
}

/** Taxes are rounded once per invoice; where its lines have different treatments, the last one takes the remainder. */
export function treatmentsOf({ lines, taxes, places }: InvoiceToEnter): Treatment[] {
  const byTax = groupBy(lines, (line) => taxKey(line.taxGroupId, line.taxRate, line.surchargeRate));
  return taxes.flatMap((tax) => {
    const { taxGroupId, rate, surchargeRate } = tax;
    const treated = groupBy(byTax.get(taxKey(taxGroupId, rate, surchargeRate)) ?? [], treatmentKey);
    const groups = [...treated.values()];
    const bases = groups.map((group) => sum(group.map((line) => line.amount)).toFixed());
    const amounts = distribute(tax.amount, bases, places);
    const surcharges = distribute(tax.surchargeAmount, bases, places);
    return groups.map((group, index): Treatment => {
      const { operation, use, selfCharge } = group[0] as InvoiceLineToEnter;
      const of = (parts: readonly Decimal[]) => parts[index] as Decimal;
      const parts = { base: of(bases), amount: of(amounts), surchargeAmount: of(surcharges) };
      return { lines: group, operation, use, taxGroupId, rate, surchargeRate, selfCharge, ...parts };
    });
  });
}

function treatmentKey({ operation, use, selfCharge }: InvoiceLineToEnter): string {
  const charged = selfCharge === null ? '' : `${rateText(selfCharge.rate)} ${rateText(selfCharge.surchargeRate)}`;
  return `${operation} ${use} ${charged}`;
}

function taxKey(groupId: string, rate: Decimal, surchargeRate: Decimal): string {
  return `${groupId} ${rateText(rate)} ${rateText(surchargeRate)}`;
}
