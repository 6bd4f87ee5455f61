/** The parameter of reports of a fiscal year, and what their readers must know about it. */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Span, spanName } from '../../../domain/reports/engine/periods.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { ReportRequest, ReportWarning } from '../engine/declaration.ts';

export const FISCAL_YEAR = {
  year: Type.Optional({
    ...YEAR,
    description: 'The calendar year in which the fiscal year begins; by default that of today',
  }),
};

/** The calendar year in which the requested fiscal year begins. */
export function requestedYear({
  params,
  range,
  settings,
}: Pick<ReportRequest<{ readonly year?: number | undefined }>, 'params' | 'range' | 'settings'>): number {
  return params.year ?? fiscalYear(settings.company.fiscalYearStart, range.to).year;
}

const CLOSED_SQL = `select exists (select from fiscal_years where status = 'closed' and "to" = :to::date) as closed`;

/** Warns if the fiscal year is not closed. */
export async function yearWarnings(
  { reader, settings, language }: Pick<ReportRequest, 'reader' | 'settings' | 'language'>,
  { from, to }: Span,
): Promise<ReportWarning[]> {
  const [found] = await query<{ closed: boolean }>(reader, CLOSED_SQL, { to });
  if (found?.closed === true) return [];
  const year = spanName(from, 'year', settings.company.fiscalYearStart)[language];
  const message = {
    en: `The fiscal year ${year} is not closed: entries may still change this book.`,
    es: `El ejercicio ${year} no está cerrado: sus asientos aún pueden cambiar este libro.`,
  };
  return [{ code: 'year_not_closed', message: message[language] }];
}
