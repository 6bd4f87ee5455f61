/**
 * Opens fiscal years on demand, when something is first dated in them: their periods, and a default series of each
 * kind.
 */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockDefaults } from '../../../db/locks.ts';
import { Series } from '../../../db/models/records/master-data.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { missingSeries } from '../../../domain/access/companies/series-of-year.ts';
import { generatePeriods, lockPeriodGeneration } from './periods.ts';

/** Years before and after the current one that open on demand; a date further away is more likely a mistake. */
const YEARS_AROUND = 1;

/** Error message for a date without a period. */
export function noPeriodMessage(date: string): string {
  return (
    `no accounting period contains the date ${date}; only the years next to the current one open automatically: generate the ` +
    `periods of its year first (POST /api/periods/generate)`
  );
}

/**
 * Creates the missing periods and series of a date's fiscal year, in the caller's transaction. The first of several
 * concurrent callers creates them; the others wait and find them. A year with a period on the date counts as opened,
 * however far away; a closed one is not changed.
 * @returns whether the caller must look for period and series again
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
      // Created by hand for this year, but not yet its default.
      if (taken.year === year && taken.rectifying === form.rectifying) {
        changes.change(Series, taken, { isDefault: true });
        break;
      }
    }
  }
  await changes.write(trx);
}
