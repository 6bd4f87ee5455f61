/** Statements that fast-check makes up. */
import fc from 'fast-check';
import { cccToIban } from '../../../../domain/bank/statements/ccc.ts';
import type { StatementLine } from '../../../../domain/bank/statements/statement.ts';
import { decimal } from '../../../../domain/money.ts';
import type { Sample } from '../../../helpers/bank-files.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));
const iban = fc.tuple(digits(4), digits(4), digits(10)).map((parts) => cccToIban(...parts));
const day = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2069-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const cents = fc.integer({ min: -99_999_999, max: 99_999_999 });
const amount = cents.map((value) => decimal(value).div(100).toFixed());
/** Text as banks write it, with single blanks. */
const words = (signs: string, most: number) =>
  fc
    .array(fc.constantFrom(...signs), { minLength: 1, maxLength: most })
    .map((all) => all.join(''))
    .map((text) => text.trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '' && !/^0+$/.test(text));
const LATIN = 'ABCXYZ abc ñÑçáü 0123456789 /-?:().,\'+&"<>;';
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

/** A line with only the members that norma43 has. */
const poor = fc.record({
  date: day,
  valueDate: day,
  amount,
  reference: optional(words('ABC0123456789', 16)),
  text: optional(words(LATIN, 300)),
});
const none = {
  bankReference: null,
  counterpartyName: null,
  counterpartyIban: null,
  endToEndId: null,
  reversal: false,
};
export const poorLine = poor.map((line): Omit<StatementLine, 'line'> => ({ ...line, ...none }));
export const richLine = fc
  .record({
    line: poor,
    bankReference: optional(words(LATIN, 35)),
    counterpartyName: optional(words(LATIN, 70)),
    counterpartyIban: optional(iban),
    endToEndId: optional(words('ABC0123456789-', 35)),
    reversal: fc.boolean(),
  })
  .map(({ line, ...rest }): Omit<StatementLine, 'line'> => ({ ...line, ...rest }));

export function arbitraryStatement(line: fc.Arbitrary<Omit<StatementLine, 'line'>>): fc.Arbitrary<Sample> {
  return fc
    .record({ iban, opening: amount, days: fc.tuple(day, day), lines: fc.array(line, { maxLength: 12 }) })
    .map(({ iban: own, opening, days, lines }) => {
      const [from = '', to = ''] = days.sort();
      return { account: { iban: own, number: null }, currency: 'EUR', reference: null, from, to, opening, lines };
    });
}
