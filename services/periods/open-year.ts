/** A fiscal year opens by itself with the first thing that is dated in it: with its periods, and a default series of each kind. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Series } from '../../db/models/master-data.ts';
import { TODAY } from '../../db/queries/time-zone.ts';
import { query } from '../../db/sql.ts';
import { insertRow, patchRow } from '../../db/write.ts';
import { missingSeries } from '../../domain/seed/series-of-year.ts';
import { holdDefaults } from '../resources/defaults.ts';
import { generatePeriods, holdPeriods } from './periods.ts';

/** How far from the present year a year may be to open by itself; what is further away is more often a slip than meant. */
const YEARS_AROUND = 1;

/** What is said of a day that no period has. */
export function noPeriodOf(date: string): string {
  return `no accounting period has the date ${date}; only the years next to the present one open by themselves: generate the periods of its year first (POST /api/periods/generate)`;
}

/**
 * Makes what the fiscal year of a day lacks, within the caller's transaction. Of many at the same time the first one makes it, the others
 * wait and find it. A year that somebody has given a period for the day counts as opened, however far away it is; a closed one is left alone.
 * @returns whether to look again for period and series
 * @throws ServiceError invalid_transition when the year is closed at this very moment
 */
export async function openYear(trx: Db, ctx: Context, date: string): Promise<boolean> {
  await holdPeriods(trx, ctx);
  const [found] = await query<{ year: number; hasPeriod: boolean; mayOpen: boolean }>(
    trx,
    `with period as (select exists (select from periods where :date::date between "from" and "to") as found)
     select fiscal_year_of(:tenant, :date::date) as year, period.found as "hasPeriod",
       (period.found or abs(fiscal_year_of(:tenant, :date::date) - fiscal_year_of(:tenant, ${TODAY})) <= ${YEARS_AROUND})
       and not exists (select from fiscal_years where status = 'closed' and "to" >= :date::date) as "mayOpen"
     from period`,
    { tenant: ctx.tenantId, date, now: ctx.now.toISOString() },
  );
  if (!found?.mayOpen) return false;
  if (!found.hasPeriod) await generatePeriods(trx, ctx, found.year);
  await makeSeries(trx, ctx, found.year);
  return true;
}

async function makeSeries(trx: Db, ctx: Context, year: number): Promise<void> {
  await holdDefaults(trx, ctx, Series);
  const known = await Series.query(trx);
  const isTaken = (form: { docType: string; prefix: string; suffix: string }) => (series: Series) =>
    series.docType === form.docType && series.prefix === form.prefix && series.suffix === form.suffix;
  for (const forms of missingSeries(year, known)) {
    for (const form of forms) {
      const taken = known.find(isTaken(form));
      if (taken === undefined) {
        await insertRow(trx, ctx, Series, { ...form, firstNumber: 1, nextNumber: 1, isDefault: true });
        break;
      }
      // Made by hand for this year, and not its default yet.
      if (taken.year === year && taken.rectifying === form.rectifying) {
        await patchRow(trx, ctx, Series, taken, { isDefault: true });
        break;
      }
    }
  }
}
