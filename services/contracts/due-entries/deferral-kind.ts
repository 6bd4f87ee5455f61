/** Deferred income and expense whose month is over. */
import { type BlockedMonth, recogniseDue } from '../../ledger/deferrals/recognise.ts';
import type { DueKind, InBoth } from './kind.ts';

export const DEFERRAL_KIND: DueKind = {
  name: 'deferrals',
  refused: { en: 'Deferrals could not be entered', es: 'No se pudieron contabilizar las periodificaciones' },
  companies: 'select tenant_id from deferral_parts where recognised_on is null and date <= :day::date',

  async enter(trx, ctx, today) {
    const { entryIds, blocked, more } = await recogniseDue(trx, ctx, { to: today });
    return { entered: entryIds.length, more, toDo: blocked.length === 0 ? null : toDoAbout(blocked), notice: null };
  },
};

function toDoAbout(blocked: readonly BlockedMonth[]): InBoth {
  const months = blocked.map(({ date }) => date.slice(0, 7)).join(', ');
  const [year, month] = (blocked.at(-1)?.date ?? '').split('-').map(Number);
  const body = JSON.stringify({ year, month });
  return {
    en: {
      title: `Enter the deferrals of ${months}`,
      body:
        'Their months have no open period. Open the periods, and they are entered within an hour; or send POST /api/deferral-runs ' +
        `${body} with "date", which enters them on that day of an open period.`,
    },
    es: {
      title: `Contabilice las periodificaciones de ${months}`,
      body:
        'Sus meses no tienen un periodo abierto. Abra los periodos y se contabilizarán en una hora; o envíe POST /api/deferral-runs ' +
        `${body} con "date", que las contabiliza ese día de un periodo abierto.`,
    },
  };
}
