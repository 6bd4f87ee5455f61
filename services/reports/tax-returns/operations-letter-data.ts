/** Data of the letter on a year's operations. */
import { Type } from 'typebox';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { day, flag, type Input, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { ROW_347 } from './model347.ts';

export const LETTER_ROW = Type.Object({
  ...ROW_347.properties,
  declared: flag({ description: 'Whether the sales or purchases exceed the limit, so that model 347 has them' }),
});
export const LETTER = Type.Object({
  year: YEAR,
  reply_by: day({ description: 'The day until which the partner is asked to answer' }),
  partner: Type.Object(
    { id: uuid(), name: text({ max: 500 }), nif: nullable(text()), language: nullable(text()) },
    { description: 'To whom the letter is addressed, in their language' },
  ),
  company: Type.Object({ name: text({ max: 500 }), nif: text() }, { description: 'Who writes it' }),
  rows: Type.Array(LETTER_ROW, { description: 'Operations by key, those with a reverse charge apart' }),
});

export type LetterData = Input<typeof LETTER>;
