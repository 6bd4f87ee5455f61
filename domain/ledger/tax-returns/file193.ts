/** Writes the file of model 193 for the tax agency (design of 2025). */
import { type Decimal, decimal, sum } from '../../money.ts';
import type { Design } from './fixed-width.ts';
import {
  COMMON,
  DECLARANT,
  type Declarant,
  declarantValues,
  joinRecords,
  type Missing,
  writeInformative,
} from './informative.ts';
import type { CapitalKey } from './model123.ts';
import { ANNUAL } from './periods.ts';

/** The first year of the design. */
export const SINCE_193 = 2025;

/** Income of capital of one recipient, of a key, nature and percentage. */
export interface Income193 {
  readonly key: CapitalKey;
  /** Two digits, as the key has them. */
  readonly nature: string;
  readonly name: string;
  readonly nif: string;
  readonly province: string;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly withheld: Decimal;
  /** Day of a dividend; null for interest. */
  readonly accruedOn: string | null;
}

export const DECLARANT_193 = {
  ...DECLARANT,
  records: [136, 9, 'digits'],
  base: [145, 15, 'cents'],
  withheld: [160, 15, 'cents'],
  paid: [175, 15, 'cents'],
  expenses: [220, 15, 'cents'],
} as const satisfies Design;

export const RECIPIENT_193 = {
  ...COMMON,
  nif: [18, 9, 'text'],
  name: [36, 40, 'text'],
  province: [77, 2, 'digits'],
  issuerCode: [79, 1, 'digits'],
  issuer: [80, 12, 'text'],
  key: [92, 1, 'text'],
  nature: [93, 2, 'digits'],
  payment: [95, 1, 'digits'],
  accrualYear: [118, 4, 'digits'],
  mode: [122, 1, 'digits'],
  amount: [123, 13, 'cents'],
  reductions: [139, 13, 'cents'],
  base: [152, 13, 'cents'],
  rate: [165, 4, 'cents'],
  withheld: [169, 13, 'cents'],
  penalties: [182, 11, 'cents'],
  loanBegins: [209, 8, 'digits'],
  loanEnds: [217, 8, 'digits'],
  compensation: [225, 12, 'cents'],
  guarantees: [237, 12, 'cents'],
  state: [249, 13, 'cents'],
  foral: [262, 52, 'digits'],
  ceutaOrMelilla: [314, 1, 'digits'],
  order: [315, 7, 'digits'],
  accruedOn: [331, 8, 'digits'],
  market: [339, 1, 'text'],
} as const satisfies Design;

/** Fields that say the same of all: money that the company itself owes, of this year, on no exchange, with its tax id as code. */
const SAME = { issuerCode: 1, payment: 1, mode: 1, market: 'D' };
/** Fields of loans of securities, reductions and others that the books do not have. */
const UNKNOWN = {
  ...{ accrualYear: 0, reductions: 0, penalties: 0, loanBegins: 0, loanEnds: 0, compensation: 0, guarantees: 0 },
  ...{ foral: 0, ceutaOrMelilla: 0 },
};

/** Writes the file of model 193. @param incomes with what the agency demands of each; no amount is below 0 */
export function file193(year: number, declarant: Declarant, incomes: readonly Income193[]): string {
  const withheld = sum(incomes.map((income) => income.withheld)).toFixed();
  const first = writeInformative(DECLARANT_193, {
    ...declarantValues(193, { year, period: ANNUAL }, declarant),
    records: incomes.length,
    base: sum(incomes.map(({ base }) => base)).toFixed(),
    withheld,
    paid: withheld,
    expenses: 0,
  });
  const { taxId } = declarant;
  const others = incomes.map((income, index) =>
    writeInformative(RECIPIENT_193, {
      ...{ record: 2, model: 193, year, taxId, issuer: taxId, ...SAME, ...UNKNOWN, ...income },
      province: Number(income.province),
      nature: Number(income.nature),
      amount: income.base,
      state: income.withheld,
      order: index + 1,
      accruedOn: Number(income.accruedOn?.split('-').reverse().join('') ?? 0),
    }),
  );
  return joinRecords([first, ...others]);
}

/** Whether the record cannot have an amount, because it is below 0. */
export function isNegative193({ base, withheld }: Pick<Income193, 'base' | 'withheld'>): boolean {
  return decimal(base).lt(0) || decimal(withheld).lt(0);
}

interface Known193 {
  readonly partnerId: string | null;
  readonly name: string | null;
  readonly nif: string | null;
  readonly province: string | null;
}

/** Lists what is missing of income, with the path of the record that lacks it. */
export function missing193({ partnerId, name, nif, province }: Known193): Missing[] {
  if (partnerId === null) return [{ name: name ?? '', record: null, member: 'partnerId' }];
  const partner = `/api/partners/${partnerId}`;
  const missing = (record: string, member: string) => ({ name: name ?? '', record, member });
  return [
    ...(nif === null ? [missing(partner, 'nif')] : []),
    ...(province === null ? [missing(`${partner}/addresses`, 'zipCode')] : []),
  ];
}
