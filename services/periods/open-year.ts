/** Opens fiscal years on demand, with the first thing dated in them: their periods, and a default series of each kind. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Series } from '../../db/models/master-data.ts';
import { TODAY } from '../../db/queries/time-zone.ts';
import { query } from '../../db/sql.ts';
import { missingSeries } from '../../domain/seed/series-of-year.ts';
import { lockDefaults } from '../resources/defaults.ts';
import { generatePeriods, lockPeriodGeneration } from './periods.ts';

/** How many years from the current one open on demand; a date further away is more often a mistake. */
const YEARS_AROUND = 1;

/** The message for a date without a period. */
export function noPeriodMessage(date: string): string {
  return (
    `no accounting period contains the date ${date}; only the years next to the current one open automatically: generate the ` +
    `periods of its year first (POST /api/periods/generate)`
  );
}

/**
 * Creates what the fiscal year of a date lacks, within the caller's transaction. Of concurrent callers the first creates it, the others
 * wait and find it. A year for which somebody has created a period on the date counts as opened, however far away; a closed one is left
 * alone.
 * @returns whether to look for period and series again
 * @throws ServiceError invalid_transition when the year is being closed
 */
export async function openYear(trx: Db, ctx: Context, date: string): Promise<boolean> {
  await lockPeriodGeneration(trx, ctx);
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
  await lockDefaults(trx, ctx, Series);
  const known = await Series.query(trx);
  const isTaken = (form: { docType: string; prefix: string; suffix: string }) => (series: Series) =>
    series.docType === form.docType && series.prefix === form.prefix && series.suffix === form.suffix;
  const changes = new Changes(ctx);
  for (const forms of missingSeries(year, known)) {
    for (const form of forms) {
      const taken = known.find(isTaken(form));
      if (taken === undefined) {
        changes.create(Series, { ...form, firstNumber: 1, nextNumber: 1, isDefault: true });
        break;
      }
      // Created manually for this year, but not its default yet.
      if (taken.year === year && taken.rectifying === form.rectifying) {
        changes.change(Series, taken, { isDefault: true });
        break;
      }
    }
  }
  await changes.write(trx);
}
