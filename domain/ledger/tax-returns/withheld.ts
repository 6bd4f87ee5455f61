/** Income tax that the company withholds from others, in models 111, 190 and other models. */
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';

/** Keys of model 190: A wages; E directors; F courses and works; G professionals; H farmers and other activities. */
export const WITHHELD_KEYS = ['A', 'E', 'F', 'G', 'H'] as const;

export type WithheldKey = (typeof WITHHELD_KEYS)[number];

/** Payments in money or in kind, and the tax withheld from them. */
export interface Part {
  readonly amount: Decimal;
  readonly withheld: Decimal;
}

/** Payments to one recipient under one key. */
export interface WithheldFrom {
  readonly key: WithheldKey;
  readonly employeeId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly nif: string | null;
  readonly cash: Part;
  readonly inKind: Part;
  /** Wages only: the recipient's social security contributions. */
  readonly contributions: Decimal;
}

/** Percentages of invoices, with the keys that declare them (RIRPF, art. 80 and 95). */
const KEYS: readonly (readonly [rate: Decimal, key: WithheldKey])[] = [
  ['35', 'E'],
  ['15', 'G'],
  ['7', 'G'],
  ['2', 'H'],
  ['1', 'H'],
];

/** Percentages that models 111 and 190 declare. */
export const WITHHELD_RATES: readonly Decimal[] = KEYS.map(([rate]) => rate);

/** The key that declares a percentage; null if another model does, such as 115 for the 19 % of rents. */
export function withheldKey(rate: Decimal): WithheldKey | null {
  return KEYS.find(([each]) => decimal(each).eq(rate))?.[1] ?? null;
}

/** Whether a key is income from work rather than from a business activity. */
export function isWork(key: WithheldKey): boolean {
  return key === 'A' || key === 'E' || key === 'F';
}

/** Total payments to recipients, and tax withheld from them. */
export function paidTo(recipients: readonly WithheldFrom[]) {
  return {
    amount: sumPart(recipients, 'cash', 'amount').toFixed(),
    withheld: sumPart(recipients, 'cash', 'withheld').toFixed(),
    in_kind: sumPart(recipients, 'inKind', 'amount').toFixed(),
    in_kind_withheld: sumPart(recipients, 'inKind', 'withheld').toFixed(),
    contributions: sum(recipients.map(({ contributions }) => contributions)).toFixed(),
  };
}

/** Sums a part over several recipients. */
export function sumPart(recipients: readonly WithheldFrom[], part: 'cash' | 'inKind', of: keyof Part): Exact {
  return sum(recipients.map((recipient) => recipient[part][of]));
}
