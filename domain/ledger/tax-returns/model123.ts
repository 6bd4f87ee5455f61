/** Models 123 and 193: income tax withheld from income of capital, of a quarter or month and of a year (design of 2024). */
import { isPersonsTaxId } from '../../identifiers.ts';
import { type Decimal, sum } from '../../money.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';

/** dividend: shares in the profits of the company; interest: whatever else is paid for capital. */
export type CapitalKind = 'dividend' | 'interest';

/** Keys of model 193: A shares in profits, B interest, D interest of people who are related to the company. */
export const CAPITAL_KEYS = ['A', 'B', 'D'] as const;
export type CapitalKey = (typeof CAPITAL_KEYS)[number];

/** Income of capital of one recipient, of a kind and percentage. */
export interface CapitalIncome {
  readonly kind: CapitalKind;
  /** Day of a dividend; null for interest. */
  readonly accruedOn: string | null;
  /** Whether it is interest of bonds rather than of loans. */
  readonly isOfBonds: boolean;
  /** Whether the recipient is related to the company; null if no line of the entry names somebody. */
  readonly isRelated: boolean | null;
  /** First two digits of the recipient's Spanish postal code; null if it is not known. */
  readonly province: string | null;
  /** null if no line of the entry names somebody. */
  readonly partnerId: string | null;
  readonly name: string | null;
  readonly nif: string | null;
  readonly country: string | null;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly withheld: Decimal;
}

export const BOXES_123 = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14'];
export const BOXES_193 = ['01', '02', '03'];
/** The ledger does not know when income accrued that is regularised, nor what was filed elsewhere. */
export const STATABLE_123: ReadonlySet<string> = new Set(['01', '02', '04', '05', '07', '08', '10', '11', '13']);
/** Boxes that contain a number of recipients. */
export const COUNTS_123: ReadonlySet<string> = new Set(['01', '02', '03']);
export const COUNTS_193: ReadonlySet<string> = new Set(['01']);

/** The key of model 193, and the nature within it: 02 dividends; 01 interest of bonds, 03 of loans that are not from banks. */
export function capitalKey(income: Pick<CapitalIncome, 'kind' | 'isOfBonds' | 'isRelated' | 'nif' | 'country'>) {
  const { kind, isOfBonds, isRelated, nif, country } = income;
  if (kind === 'dividend') return { key: 'A', nature: '02' } as const;
  const isPerson = nif !== null && country !== null && isPersonsTaxId(country, nif);
  return { key: isRelated === true && isPerson ? 'D' : 'B', nature: isOfBonds ? '01' : '03' } as const;
}

/** Computes the boxes of 123: of dividends, of the rest and of both recipients, income and tax withheld; 14 is to be paid. */
export function model123(incomes: readonly CapitalIncome[], overrides: Overrides = {}): BoxValues {
  const boxes = new Boxes();
  for (const [kind, count, base, withheld] of [
    ['dividend', '01', '04', '07'],
    ['interest', '02', '05', '08'],
  ] as const) {
    const of = incomes.filter((income) => income.kind === kind);
    boxes.set(count, countRecipients(of));
    boxes.set(base, sum(of.map((income) => income.base)));
    boxes.set(withheld, sum(of.map((income) => income.withheld)));
  }
  boxes.override(overrides);
  boxes.set('03', boxes.sum(['01', '02']));
  boxes.set('06', boxes.sum(['04', '05']));
  boxes.set('09', boxes.sum(['07', '08']));
  boxes.set('12', boxes.sum(['09', '11']));
  boxes.set('14', boxes.get('12').minus(boxes.get('13')));
  return boxes.values(BOXES_123);
}

/** Computes the boxes of 193: recipients, income, tax withheld. */
export function model193(incomes: readonly CapitalIncome[]): BoxValues {
  const boxes = new Boxes();
  boxes.set('01', countRecipients(incomes));
  boxes.set('02', sum(incomes.map(({ base }) => base)));
  boxes.set('03', sum(incomes.map(({ withheld }) => withheld)));
  return boxes.values(BOXES_193);
}

function countRecipients(incomes: readonly CapitalIncome[]): number {
  return new Set(incomes.map(({ partnerId }) => partnerId)).size;
}
