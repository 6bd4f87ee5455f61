/** Schemas of time sheets. */
import { type Static, Type } from 'typebox';
import { day, flag, type Input, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';

/** A record on the sheet. */
export const ROW = Type.Object({
  employee_id: uuid(),
  code: text(),
  name: text(),
  day: day(),
  started: text({ description: "HH:MM in the company's time zone" }),
  ended: nullable(
    text({
      description: 'Likewise, with the days that passed after midnight: 06:00 (+1); null while the work goes on',
    }),
  ),
  break_minutes: integer(),
  worked_minutes: nullable(integer({ description: 'Without breaks; null while the work goes on' })),
  corrected: flag({ description: 'Whether it was entered afterwards with a reason, or corrected' }),
  note: nullable(text()),
});
export type TimeSheetRow = Static<typeof ROW>;

/** The sheet of an employee. */
export const SHEET = Type.Object({
  employee_id: uuid(),
  code: text(),
  name: text(),
  nif: nullable(text()),
  days: integer({ description: 'Days with work' }),
  worked_minutes: integer(),
  holidays: Type.Array(Type.Object({ day: day(), name: text() }), {
    description: 'Holidays of the place of their department in the month',
  }),
  drilldown: text({ max: 500 }),
});
export type Sheet = Input<typeof SHEET>;
