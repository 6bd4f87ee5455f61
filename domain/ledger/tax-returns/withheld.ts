/** Income tax that the company withholds from others, in models 111, 190 and other models. */
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';

/** Keys of model 190: A wages; E directors; F courses and works; G professionals; H farmers and other activities. */
export const WITHHELD_KEYS = ['A', 'E', 'F', 'G', 'H'] as const;

export type WithheldKey = (typeof WITHHELD_KEYS)[number];

/** Subkeys of model 190: within a key, by which rule tax is withheld. */
export const SUBKEYS = ['01', '02', '03', '04', '05', '06', '07'] as const;

export type Subkey = (typeof SUBKEYS)[number];

/** Payments in money or in kind, and the tax withheld from them. */
export interface Part {
  readonly amount: Decimal;
  readonly withheld: Decimal;
}

/** Payments to one recipient under one key and subkey. */
export interface WithheldFrom {
  readonly key: WithheldKey;
  /** null for wages, which have none, and while nobody has stated it. */
  readonly subkey: Subkey | null;
  readonly employeeId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly nif: string | null;
  /** First two digits of their Spanish postal code; null if it is not known. */
  readonly province: string | null;
  readonly cash: Part;
  readonly inKind: Part;
  /** Wages only: the recipient's social security contributions. */
  readonly contributions: Decimal;
}

/** How a percentage is declared: under a key, and the subkey of its general case, or one of others that a person states. */
type DeclaredRate = readonly [rate: Decimal, key: WithheldKey, general: Subkey | null, others: readonly Subkey[]];

/**
 * Percentages of invoices (RIRPF, art. 80 and 95). 15 % is also that of intellectual property (05), 2 % that of forestry (03). 7 % and 1 %
 * have no general case: insurance brokers and the like, those who begin, artists and authors; fattening of pigs and poultry, modules.
 */
const KEYS: readonly DeclaredRate[] = [
  ['35', 'E', '04', []],
  ['15', 'G', '01', ['05']],
  ['7', 'G', null, ['02', '03', '04', '06', '07']],
  ['2', 'H', '01', ['03']],
  ['1', 'H', null, ['02', '04']],
];

/** Percentages that models 111 and 190 declare. */
export const WITHHELD_RATES: readonly Decimal[] = KEYS.map(([rate]) => rate);

/**
 * The subkey that declares a percentage; null if somebody has to state it.
 * @param stated that of the recipient, which may be of another percentage
 */
export function withheldSubkey(rate: Decimal, stated: Subkey | null): Subkey | null {
  const [, , general = null, others = []] = KEYS.find(([each]) => decimal(each).eq(rate)) ?? [];
  return stated !== null && others.includes(stated) ? stated : general;
}

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
