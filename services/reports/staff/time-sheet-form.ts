/** The time sheet on paper: a page for each employee, with all days of the month. */
import { dayInMonth, endOfMonth, lastDayInMonth } from '../../../domain/days.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { type Form, textLine } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { shownMinutes } from '../../../domain/staff/time/record.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import type { Sheet, TimeSheetRow } from './time-sheet-data.ts';

type View = Pick<ReportRequest, 'language' | 'settings'>;

const TEXTS = {
  employee: { es: 'Trabajador/a', en: 'Employee' },
  name: { es: 'Nombre', en: 'Name' },
  nif: { es: 'NIF', en: 'Tax id' },
  code: { es: 'Código', en: 'Code' },
  days: { es: 'Jornada diaria', en: 'Daily working time' },
  started: { es: 'Entrada', en: 'Begun' },
  ended: { es: 'Salida', en: 'Ended' },
  breaks: { es: 'Descansos (min)', en: 'Breaks (min)' },
  worked: { es: 'Trabajado (h)', en: 'Worked (h)' },
  total: { es: 'Total del mes', en: 'Total of the month' },
  corrected: {
    es: '* Anotado o corregido después, con su motivo',
    en: '* Entered or corrected afterwards, with a reason',
  },
  company: { es: 'Firma de la empresa', en: 'Signature of the company' },
  own: { es: 'Firma del trabajador o de la trabajadora', en: 'Signature of the employee' },
} as const satisfies Record<string, Texts>;

/**
 * Builds the sheet of an employee.
 * @param month any day of it
 * @param rows their records, in order
 */
export function timeSheetForm(
  title: Texts,
  { code, name, nif, worked_minutes: minutes, holidays }: Sheet,
  month: string,
  rows: readonly TimeSheetRow[],
  { language, settings }: View,
): Form {
  const say = (text: keyof typeof TEXTS) => TEXTS[text][language];
  const { day: shown, locale } = formatsFor(settings.format, null);
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const byDay = groupBy(rows, ({ day }) => day);
  const worked = (row: TimeSheetRow) =>
    [
      row.started,
      row.ended,
      row.break_minutes || null,
      row.worked_minutes === null ? null : shownMinutes(row.worked_minutes),
    ] as const;
  const days = Array.from({ length: lastDayInMonth(month) }, (_, index) => dayInMonth(month, index + 1));
  return {
    title: `${title[language]} · ${shown(dayInMonth(month, 1))} – ${shown(endOfMonth(month))}`,
    notes: rows.some(({ corrected }) => corrected) ? [say('corrected')] : [],
    groups: [
      {
        title: say('employee'),
        lines: [textLine(say('name'), name), textLine(say('nif'), nif), textLine(say('code'), code)],
      },
      {
        title: say('days'),
        heads: [say('started'), say('ended'), say('breaks'), say('worked')],
        lines: [
          ...days.flatMap((day) => {
            const holiday = holidays.find((one) => one.day === day);
            const date = `${shown(day)} ${weekday.format(new Date(`${day}T00:00:00Z`))}`;
            const label = holiday === undefined ? date : `${date} · ${holiday.name}`;
            const records = byDay.get(day) ?? [];
            if (records.length === 0) return [textLine(label, null)];
            return records.map((row) => textLine(row.corrected ? `${label} *` : label, ...worked(row)));
          }),
          { ...textLine(say('total'), shownMinutes(minutes)), total: true },
        ],
      },
    ],
    dense: true,
    ownPage: true,
    closing: [`${say('company')}:`, `${say('own')}:`],
  };
}
