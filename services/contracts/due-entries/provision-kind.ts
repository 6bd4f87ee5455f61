/** Provisions for bad debts that were paid or cancelled since. */
import { EXCESSIVE } from '../../../db/queries/bad-debts.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { type ExcessiveProvision, loadExcessive, releaseExcess } from '../../trade/bad-debts/due.ts';
import { attempt, refusedLines } from './attempt.ts';
import type { DueKind, InBoth } from './kind.ts';

/** Provisions of one transaction. */
const PAGE = 100;

interface Refused extends ExcessiveProvision {
  readonly reason: string;
}

export const PROVISION_KIND: DueKind = {
  name: 'provisions',
  refused: {
    en: 'Provisions for bad debts could not be released',
    es: 'No se pudieron revertir deterioros de créditos',
  },
  // Payments may be dated later; those are released on their day.
  companies: `select b.tenant_id from ${EXCESSIVE}`,

  async enter(trx, ctx, today) {
    const due = await loadExcessive(trx, today, PAGE);
    const refused: Refused[] = [];
    for (const one of due) {
      const done = await attempt(trx, (inner) => releaseExcess(inner, ctx, one));
      if ('reason' in done) refused.push({ ...one, reason: done.reason });
    }
    const entered = due.length - refused.length;
    // Those that are refused stay due: a page of nothing else is the last.
    const more = due.length === PAGE && entered > 0;
    return { entered, more, toDo: refused.length === 0 ? null : toDoAbout(refused), notice: null };
  },
};

function toDoAbout(refused: readonly Refused[]): InBoth {
  const codes = refused.map(({ code }) => code).join(', ');
  const list = (words: (reason: string) => string) =>
    refusedLines(refused, ({ code, date, reason }) => `${code}, ${date}: ${words(reason)}`);
  return {
    en: {
      title: `Release the provisions for ${codes}`,
      body:
        `${list((reason) => reason)}\n` +
        'Solve this, and they are released within an hour; or release them on another day by POST /api/bad-debts with "amount": 0.',
    },
    es: {
      title: `Revierta el deterioro de ${codes}`,
      body:
        `${list((reason) => translate(reason, 'es'))}\n` +
        'Resuélvalo y se revertirá en una hora; o reviértalo otro día con POST /api/bad-debts y "amount": 0.',
    },
  };
}
