/** The parameter of reports of a fiscal year. */
import { Type } from 'typebox';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';

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
