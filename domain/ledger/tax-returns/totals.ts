/** Sums of ledger lines that are taxed alike: the source of every figure of a return. */

import { type Decimal, decimal } from '../../money.ts';
import type { LineTax } from '../accounting/entries.ts';

/** Sums of a tax over a span of days. */
export interface TaxTotal {
  readonly kind: LineTax['kind'];
  readonly operation: LineTax['operation'];
  readonly use: LineTax['use'];
  readonly rectifying: boolean;
  readonly groupId: string | null;
  readonly rate: Decimal;
  /** Signed as in documents: rectifying documents are negative. */
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly debit: Decimal;
  readonly credit: Decimal;
}

/** The part of withheld income tax on the debit side, withheld by customers. The rest was withheld from suppliers. */
export function withheldByCustomers({ amount, debit, credit }: TaxTotal): Decimal {
  return decimal(amount).plus(debit).minus(credit).div(2).toFixed();
}

const SELF_ASSESSED: readonly TaxTotal['operation'][] = [
  'intra_eu_goods',
  'intra_eu_services',
  'services_from_abroad',
  'reverse_charge',
];

/**
 * Whether the company owes the tax of a purchase itself. Sales of these kinds bear no tax, and only their base is
 * declared.
 */
export function isSelfAssessed({ kind, operation, rate }: TaxTotal): boolean {
  return kind === 'output' && SELF_ASSESSED.includes(operation) && !decimal(rate).eq(0);
}

/**
 * Whether a total is the base on a supplier's invoice of imported goods: their VAT, and its base, are those of the
 * customs document.
 */
export function isImportInvoice({ kind, operation, rate, amount }: TaxTotal): boolean {
  return kind === 'input' && operation === 'import' && decimal(rate).eq(0) && decimal(amount).eq(0);
}

/** Whether a total is the part of a sale under the margin scheme that bears no tax: what its goods cost, beside the margin's own base. */
export function isUntaxedMargin({ kind, operation, rate }: Pick<TaxTotal, 'kind' | 'operation' | 'rate'>): boolean {
  return kind === 'output' && operation === 'margin' && decimal(rate).eq(0);
}

/** Whether a total comes from regularising a year's pro rata (decision 0160), or investment goods: it has neither base nor rate. */
export function isProRata({ kind, operation, rate, base, groupId }: TaxTotal): boolean {
  return kind === 'input' && operation === 'domestic' && groupId === null && decimal(rate).eq(0) && decimal(base).eq(0);
}
