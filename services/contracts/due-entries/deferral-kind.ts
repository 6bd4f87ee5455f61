/** Deferred income and expense whose month is over. */
import { prepared } from '../../../db/sql.ts';
import { type BlockedMonth, recogniseDue } from '../../ledger/deferrals/recognise.ts';
import type { DueKind } from './kind.ts';

const REPORT_SQL = `update deferral_parts set reported_at = :now::timestamptz
  where recognised_on is null and reported_at is null and date = any(:dates::date[]) returning id`;

export const DEFERRAL_KIND: DueKind = {
  companies: `select tenant_id from deferral_parts where recognised_on is null and reported_at is null and date <= :day::date`,

  async enter(trx, ctx, today) {
    const { entryIds, blocked, more } = await recogniseDue(trx, ctx, { to: today });
    const dates = blocked.map(({ date }) => date);
    const now = ctx.now.toISOString();
    const told = dates.length === 0 ? [] : await prepared<{ id: string }>(trx, REPORT_SQL, { dates, now });
    return { entered: entryIds.length, more, toDo: told.length === 0 ? null : toDoAbout(blocked) };
  },
};

function toDoAbout(blocked: readonly BlockedMonth[]) {
  const months = blocked.map(({ date }) => date.slice(0, 7)).join(', ');
  const [year, month] = (blocked.at(-1)?.date ?? '').split('-').map(Number);
  const body = JSON.stringify({ year, month });
  return {
    en: {
      title: `Enter the deferrals of ${months}`,
      body:
        `Their months have no open period. Open the periods and send POST /api/deferral-runs ${body}, or add "date" to enter them on a ` +
        'day of an open period.',
    },
    es: {
      title: `Contabilice las periodificaciones de ${months}`,
      body:
        `Sus meses no tienen un periodo abierto. Abra los periodos y envíe POST /api/deferral-runs ${body}, o añada "date" para ` +
        'contabilizarlas en un día de un periodo abierto.',
    },
  };
}
