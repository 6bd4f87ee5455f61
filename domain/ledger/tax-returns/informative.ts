/** Files of informative returns for the tax agency: a record of the company, and one for each that it declares. */
import { type Design, type Values, writeRecord } from './fixed-width.ts';
import { ANNUAL, type TaxPeriod } from './periods.ts';

export interface Declarant {
  readonly name: string;
  readonly taxId: string;
  readonly phone: string | null;
  /** How many earlier returns of the period there are, and the receipt number of the one in whose place this is. */
  readonly sequence: number;
  readonly receiptNumber: string | null;
}

/** A member that is to be filled in before a file can be written, and the path of its record; null if the entry names nobody. */
export interface Missing {
  readonly name: string;
  readonly record: string | null;
  readonly member: string;
}

/** Each lack once: several rows may rest on the same record. */
export function withoutRepeats(missing: readonly Missing[]): Missing[] {
  return [...new Map(missing.map((each) => [JSON.stringify(each), each])).values()];
}

/** Number of positions of each record. */
export const RECORD_LENGTH = 500;

/** First fields of every record. */
export const COMMON = {
  record: [1, 1, 'digits'],
  model: [2, 3, 'digits'],
  year: [5, 4, 'digits'],
  taxId: [9, 9, 'text'],
} as const satisfies Design;

/** First fields of the record of the company. */
export const DECLARANT = {
  ...COMMON,
  name: [18, 40, 'text'],
  support: [58, 1, 'text'],
  phone: [59, 9, 'digits'],
  contact: [68, 40, 'text'],
  number: [108, 13, 'digits'],
  substitutive: [122, 1, 'text'],
  earlier: [123, 13, 'digits'],
} as const satisfies Design;

/** Members of the record of the company. Its number begins with that of the model, and is the same for the same return. */
export function declarantValues(model: number, { year, period }: TaxPeriod, declarant: Declarant) {
  const { name, taxId, phone, sequence, receiptNumber } = declarant;
  const digits = (phone ?? '').replaceAll(/\D/g, '').slice(-9);
  const part = period === ANNUAL ? '00' : period.endsWith('T') ? `2${period[0]}` : period;
  return {
    ...{ record: 1, model, year, taxId, name, contact: name },
    substitutive: receiptNumber === null ? '' : 'S',
    earlier: Number(receiptNumber ?? 0),
    support: 'T',
    phone: Number(digits),
    number: Number(`${model}${year}${part}${String(sequence + 1).padStart(4, '0')}`),
  };
}

/** Writes a record. @throws RangeError if a number does not fit */
export function writeInformative<D extends Design>(design: D, values: Values<D>): string {
  return writeRecord(design, RECORD_LENGTH, values);
}

/** Joins records to a file. */
export function joinRecords(records: readonly string[]): string {
  return records.map((record) => `${record}\r\n`).join('');
}
