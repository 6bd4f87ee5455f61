/** Model 347: the people with whom a company had operations above a limit in a year (RD 1065/2007, arts. 31 to 35). */
import { type Decimal, decimal, isZero, sum } from '../../money.ts';
import { Boxes, type BoxValues } from './boxes.ts';

/** Keys of operations: A purchases, B sales. */
export const KEYS_347 = ['A', 'B'] as const;

/** Operations with one person under one key, VAT included. */
export interface Operations {
  readonly key: (typeof KEYS_347)[number];
  readonly partnerId: string;
  readonly name: string;
  readonly nif: string | null;
  readonly country: string;
  /** From the first to the last quarter. */
  readonly quarters: readonly [Decimal, Decimal, Decimal, Decimal];
  /** The part of them whose tax the buyer owes, likewise. */
  readonly reverse: readonly [Decimal, Decimal, Decimal, Decimal];
  /** First two digits of their Spanish postal code; null if it is not known. */
  readonly province: string | null;
  /** Received in cash in the year; 0 for purchases. */
  readonly cash: Decimal;
}

/** Operations of a year above this are declared, in euros (art. 33.1). */
export const LIMIT_347 = '3005.06';
/** So is cash above this (art. 34.1.h). */
export const CASH_LIMIT_347 = '6000';

export const BOXES_347 = ['01', '02'];
/** Boxes that contain a number of people. */
export const COUNTS_347: ReadonlySet<string> = new Set(['01']);

/** The year's total. */
export function yearTotal({ quarters }: Pick<Operations, 'quarters'>): Decimal {
  return sum(quarters).toFixed();
}

/** Cash that is declared, which is none up to the limit. */
export function declaredCash({ cash }: Pick<Operations, 'cash'>): Decimal {
  return decimal(cash).gt(CASH_LIMIT_347) ? cash : '0';
}

/** Whether the person is declared under the key: by their operations, whatever their sign, or by cash. */
export function isDeclared(operations: Operations): boolean {
  return decimal(yearTotal(operations)).abs().gt(LIMIT_347) || decimal(operations.cash).gt(CASH_LIMIT_347);
}

/** Operations of one person under one key, all of them with or all without a reverse charge. */
export interface Record347 extends Omit<Operations, 'reverse'> {
  readonly isReverse: boolean;
}

/** Divides operations into the records of the form, which has those with a reverse charge apart. */
export function toRecords({ reverse, ...operations }: Operations): Record347[] {
  const cash = declaredCash(operations);
  // Nearly all of them, so that nothing is subtracted.
  if (reverse.every(isZero))
    return operations.quarters.every(isZero) && isZero(cash) ? [] : [{ ...operations, cash, isReverse: false }];
  const rest = operations.quarters.map((quarter, index) =>
    decimal(quarter)
      .minus(reverse[index] ?? '0')
      .toFixed(),
  ) as unknown as Operations['quarters'];
  const records: Record347[] = [
    { ...operations, cash, quarters: rest, isReverse: false },
    { ...operations, cash: '0', quarters: reverse, isReverse: true },
  ];
  return records.filter(({ quarters, cash: received }) => !quarters.every(isZero) || !isZero(received));
}

/** Computes the boxes of the summary: number of records, and the sum of their operations. */
export function model347(declared: readonly Operations[]): BoxValues {
  const boxes = new Boxes();
  boxes.set('01', declared.flatMap(toRecords).length);
  boxes.set('02', sum(declared.map(yearTotal)));
  return boxes.values(BOXES_347);
}
