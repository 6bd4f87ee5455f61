/** Writes records of files for the tax agency, whose fields have fixed positions, in ISO-8859-1 characters. */
import { type DecimalInput, decimal, round } from '../../money.ts';

/**
 * `text`: capitals, filled up with blanks; `digits`: a whole number, filled up with zeros; `cents`: an amount, not negative, likewise;
 * `marked`: an amount that begins with N in place of a zero if it is negative; `signed`: one whose sign, a blank or N, has a position of
 * its own.
 */
type Kind = 'text' | 'digits' | 'cents' | 'marked' | 'signed';

/** First position, from 1, and number of positions. */
export type Field = readonly [at: number, length: number, kind: Kind];
/** Fields by name; positions of no field are blank. */
export type Design = Readonly<Record<string, Field>>;
type Value = DecimalInput | string;
export type Values<D extends Design> = Readonly<Record<keyof D, Value>>;

const WRITERS: Readonly<Record<Kind, (value: Value, length: number) => string>> = {
  text: (value, length) => writeText(String(value), length),
  digits: (value, length) =>
    decimal(value as DecimalInput)
      .toFixed(0)
      .padStart(length, '0'),
  cents: (value, length) => cents(value).padStart(length, '0'),
  marked: writeMarked,
  signed: (value, length) => (isBelowZero(value) ? 'N' : ' ') + cents(value).padStart(length - 1, '0'),
};

/**
 * Writes a record.
 * @throws RangeError if a number has more digits than its field, or is negative where it must not be
 */
export function writeRecord<D extends Design>(design: D, length: number, values: Values<D>): string {
  let record = ''.padEnd(length);
  for (const [name, [at, width, kind]] of Object.entries(design)) {
    const value = values[name] as Value;
    const text = WRITERS[kind](value, width);
    const isNegative = (kind === 'cents' || kind === 'digits') && isBelowZero(value);
    if (text.length !== width || isNegative) throw new RangeError(`${name} of a record for the tax agency: ${value}`);
    record = record.slice(0, at - 1) + text + record.slice(at - 1 + width);
  }
  return record;
}

/** Formats text in capitals, dropping characters that the files cannot contain. */
export function writeText(text: string, length: number): string {
  const letters = [...text.toUpperCase().normalize('NFC')];
  const known = letters.map((letter) => (letter <= 'ÿ' ? letter : plain(letter)));
  return known.join('').slice(0, length).padEnd(length);
}

/** Formats an amount in cents, with N before a negative one. */
export function writeMarked(value: Value, length: number): string {
  return isBelowZero(value) ? `N${cents(value).padStart(length - 1, '0')}` : cents(value).padStart(length, '0');
}

function isBelowZero(value: Value): boolean {
  return decimal(value as DecimalInput).lt(0);
}

function cents(value: Value): string {
  return decimal(
    round(
      decimal(value as DecimalInput)
        .abs()
        .times(100),
      0,
    ),
  ).toFixed();
}

function plain(letter: string): string {
  const [base = ' '] = letter.normalize('NFD');
  return base <= 'ÿ' ? base : ' ';
}

/** Wraps the pages of a return in the tags of its model and period, with the part that is left to programs. */
export function taggedFile(model: string, { year, period }: { year: number; period: string }, pages: string): string {
  const name = `T${model}0${year}${period}0000`;
  return `<${name}><AUX>${' '.repeat(70 + 4 + 4 + 9 + 213)}</AUX>${pages}</${name}>`;
}
