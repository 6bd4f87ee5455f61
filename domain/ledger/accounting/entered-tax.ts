/** Tax on a manual entry line that comes from no invoice of the service, such as import VAT. */

import { type Decimal, decimal } from '../../money.ts';
import type { TaxOperation } from '../../trade/documents/operations.ts';
import type { VatUse } from '../../trade/documents/vat.ts';
import type { LineTax } from './entries.ts';

export const TAX_KINDS = ['output', 'input', 'surcharge', 'withholding'] as const;

export interface TaxInput {
  readonly kind: (typeof TAX_KINDS)[number];
  readonly operation?: TaxOperation;
  readonly use?: Exclude<VatUse, 'none'>;
  readonly rectifying?: boolean;
  readonly taxGroupId?: string | null;
  /** In percent; defaults to the rate of the tax group. */
  readonly rate?: number | null;
  /** Signed like the tax amount. */
  readonly base: number;
}

/** Allows for rounding by customs and others; a larger difference means that the base or the rate is wrong. */
const TOLERANCE = '1';

/**
 * Computes the tax of a line. The amount is the line's, positive on the normal side of the kind and negative on the
 * other. Withholding can be on either side: by customers a debit, from suppliers a credit.
 * @param group rates of the tax group, if one is named
 */
export function enteredTax(
  input: TaxInput,
  line: { readonly debit: Decimal; readonly credit: Decimal },
  group: { readonly rate: Decimal; readonly surchargeRate: Decimal } | undefined,
): LineTax {
  const { kind, operation = 'domestic', use = 'current', rectifying = false, taxGroupId, rate, base } = input;
  const debit = decimal(line.debit).minus(line.credit);
  const signed = kind === 'input' ? debit : debit.times(-1);
  const own = (kind === 'surcharge' ? group?.surchargeRate : group?.rate) ?? '0';
  return {
    kind,
    operation,
    use,
    rectifying,
    groupId: taxGroupId ?? null,
    rate: decimal(rate ?? own).toFixed(),
    base: decimal(base).toFixed(),
    amount: (kind === 'withholding' ? debit.abs() : signed).toFixed(),
  };
}

/** Whether the amount equals rate × base. */
export function matchesRate({ base, rate, amount }: LineTax): boolean {
  return decimal(base).times(rate).div(100).minus(amount).abs().lte(TOLERANCE);
}
