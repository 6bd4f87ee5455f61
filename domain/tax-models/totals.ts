/** What the ledger says of taxes: sums of lines that are taxed alike. Every figure of a return comes from these. */
import type { LineTax } from '../accounting/entries.ts';
import { type Decimal, decimal } from '../money.ts';

/** Sums of the lines of a tax, over a span of days. */
export interface TaxTotal {
  readonly kind: LineTax['kind'];
  readonly operation: LineTax['operation'];
  readonly use: LineTax['use'];
  readonly rectifying: boolean;
  readonly groupId: string | null;
  readonly rate: Decimal;
  /** Signed as in documents: rectifying ones are negative. */
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly debit: Decimal;
  readonly credit: Decimal;
}

/** Of withheld income tax, the part on the debit side: what customers have withheld. The rest was withheld from suppliers. */
export function withheldByCustomers({ amount, debit, credit }: TaxTotal): Decimal {
  return decimal(amount).plus(debit).minus(credit).div(2).toFixed();
}

const SELF_ASSESSED: readonly TaxTotal['operation'][] = [
  'intra_eu_goods',
  'intra_eu_services',
  'services_from_abroad',
  'reverse_charge',
];

/** Whether the company owes the tax of a purchase; sales of these kinds are charged nothing, and only their base is declared. */
export function isSelfAssessed({ kind, operation, rate }: TaxTotal): boolean {
  return kind === 'output' && SELF_ASSESSED.includes(operation) && !decimal(rate).eq(0);
}

/** Whether it is the entry that regularises the pro rata of a year (decision 0160): it has neither base nor rate. */
export function isProRata({ kind, operation, rate, base, groupId }: TaxTotal): boolean {
  return kind === 'input' && operation === 'domestic' && groupId === null && decimal(rate).eq(0) && decimal(base).eq(0);
}
