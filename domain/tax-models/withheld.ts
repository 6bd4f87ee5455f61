/** Income tax that the company withholds from others: what models 111 and 190 declare, and what other models do. */
import { type Decimal, decimal, type Exact, sum } from '../money.ts';

/** The keys of model 190: A wages; E directors; G professionals; H farmers and other activities. */
export const WITHHELD_KEYS = ['A', 'E', 'G', 'H'] as const;

export type WithheldKey = (typeof WITHHELD_KEYS)[number];

/** What was paid in money or in kind, and withheld of it. */
export interface Part {
  readonly amount: Decimal;
  readonly withheld: Decimal;
}

/** What one recipient was paid under one key. */
export interface WithheldFrom {
  readonly key: WithheldKey;
  readonly employeeId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly nif: string | null;
  readonly cash: Part;
  readonly inKind: Part;
  /** Of wages: what the recipient contributed to social security. */
  readonly contributions: Decimal;
}

/** Percentages of invoices and the keys under which they are declared (RIRPF, art. 80 and 95). */
const KEYS: readonly (readonly [rate: Decimal, key: WithheldKey])[] = [
  ['35', 'E'],
  ['15', 'G'],
  ['7', 'G'],
  ['2', 'H'],
  ['1', 'H'],
];

/** The key of what is withheld at a percentage; null where another model declares it, such as 115 the 19 % of rents. */
export function keyOf(rate: Decimal): WithheldKey | null {
  return KEYS.find(([each]) => decimal(each).eq(rate))?.[1] ?? null;
}

/** Whether a key is income from work; the others are of business activities. */
export function isWork(key: WithheldKey): boolean {
  return key === 'A' || key === 'E';
}

/** What recipients were paid, and what was withheld of it. */
export function paidTo(recipients: readonly WithheldFrom[]) {
  return {
    amount: totalOf(recipients, 'cash', 'amount').toFixed(),
    withheld: totalOf(recipients, 'cash', 'withheld').toFixed(),
    in_kind: totalOf(recipients, 'inKind', 'amount').toFixed(),
    in_kind_withheld: totalOf(recipients, 'inKind', 'withheld').toFixed(),
    contributions: sum(recipients.map(({ contributions }) => contributions)).toFixed(),
  };
}

/** The total of a part of several recipients. */
export function totalOf(recipients: readonly WithheldFrom[], part: 'cash' | 'inKind', of: keyof Part): Exact {
  return sum(recipients.map((recipient) => recipient[part][of]));
}
