/** Groups invoice lines by tax treatment, and splits amounts exactly between the groups. */

import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, distribute, sum } from '../../money.ts';
import type { SelfCharge, TaxOperation } from '../../trade/documents/operations.ts';
import type { VatUse } from '../../trade/documents/vat.ts';
import type { Deduction, InvoiceLineToEnter, InvoiceToEnter, LineToTreat } from './invoice.ts';

/** Lines with the same tax treatment. */
export interface Treatment<Line extends LineToTreat = InvoiceLineToEnter> {
  readonly lines: readonly Line[];
  readonly operation: TaxOperation;
  readonly use: VatUse;
  readonly taxGroupId: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly selfCharge: SelfCharge | null;
  readonly deduction: Deduction;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount: Decimal;
}

/** Groups lines. Taxes are rounded once per invoice; between different treatments, the last takes the remainder. */
export function groupTreatments<Line extends LineToTreat>({
  lines,
  taxes,
  places,
}: Pick<InvoiceToEnter<Line>, 'lines' | 'taxes' | 'places'>): Treatment<Line>[] {
  const byTax = groupBy(lines, (line) => taxKey(line.taxGroupId, line.taxRate, line.surchargeRate));
  return taxes.flatMap((tax) => {
    const { taxGroupId, rate, surchargeRate } = tax;
    const treated = groupBy(byTax.get(taxKey(taxGroupId, rate, surchargeRate)) ?? [], treatmentKey);
    const groups = [...treated.values()];
    const bases = groups.map((group) => sum(group.map((line) => line.amount)).toFixed());
    const amounts = distribute(tax.amount, bases, places);
    const surcharges = distribute(tax.surchargeAmount, bases, places);
    return groups.map((group, index): Treatment<Line> => {
      const { operation, use, selfCharge, deduction } = group[0] as Line;
      const of = (parts: readonly Decimal[]) => parts[index] as Decimal;
      const parts = { base: of(bases), amount: of(amounts), surchargeAmount: of(surcharges) };
      return { lines: group, operation, use, taxGroupId, rate, surchargeRate, selfCharge, deduction, ...parts };
    });
  });
}

function treatmentKey({ operation, use, selfCharge, deduction }: LineToTreat): string {
  const charged = selfCharge === null ? '' : `${rateText(selfCharge.rate)} ${rateText(selfCharge.surchargeRate)}`;
  return `${operation} ${use} ${charged} ${rateText(deduction.own)} ${deduction.common}`;
}

function taxKey(groupId: string, rate: Decimal, surchargeRate: Decimal): string {
  return `${groupId} ${rateText(rate)} ${rateText(surchargeRate)}`;
}

/** The canonical text of a rate, without trailing zeros. */
export function rateText(rate: Decimal): string {
  return decimal(rate).toFixed();
}
