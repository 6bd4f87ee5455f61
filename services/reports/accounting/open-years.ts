/** The results of fiscal years not closed, which stand on no account until their close (decision 0240). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

/** The line that shows them, beside the account of the chart on which the close will enter them. */
export const OPEN_YEARS = {
  name: { en: 'Results of years not closed', es: 'Resultados de ejercicios no cerrados' },
  open_years: true,
} as const;

/** Years are closed in order: those after the last closed one are open. */
const FIRST_SQL = `select coalesce(
    (select max("to") + 1 from fiscal_years where status = 'closed' and "to" < :last::date),
    (select min(date) from journal_entries where status = 'posted'))::text as first`;

/** The path of the profit and loss account of the years not closed. @param last the last day of the last one */
export async function openYearsPath(reader: Reader, last: string): Promise<string> {
  const [found] = await query<{ first: string | null }>(reader, FIRST_SQL, { last });
  return `/api/reports/pl?from=${found?.first ?? last}&to=${last}`;
}
