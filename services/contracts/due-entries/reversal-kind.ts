/** Manual entries that are reversed on a day that was planned. */
import { translate } from '../../../domain/locale/messages.ts';
import { reverseEntry } from '../../bank/manual-entries/manual.ts';
import { loadDueReversals, type PlannedReversal } from '../../ledger/accounting/planned-reversals.ts';
import { attempt, refusedLines } from './attempt.ts';
import type { DueKind, InBoth } from './kind.ts';

/** Reversals of one transaction. */
const PAGE = 200;

interface Refused extends PlannedReversal {
  readonly reason: string;
}

export const REVERSAL_KIND: DueKind = {
  name: 'reversals',
  refused: { en: 'Entries could not be reversed', es: 'No se pudieron anular asientos' },
  companies: 'select tenant_id from planned_reversals where date <= :day::date + 1',

  async enter(trx, ctx, today) {
    const due = await loadDueReversals(trx, today, PAGE);
    const refused: Refused[] = [];
    for (const one of due) {
      const { entryId, date } = one;
      const done = await attempt(trx, (inner) => reverseEntry(inner, ctx, entryId, { date, ifMatch: null }));
      if ('reason' in done) refused.push({ ...one, reason: done.reason });
    }
    const entered = due.length - refused.length;
    return {
      entered,
      // Those that are refused stay due: a page of nothing else is the last.
      more: due.length === PAGE && entered > 0,
      toDo: refused.length === 0 ? null : toDoAbout(refused),
      notice: null,
    };
  },
};

function toDoAbout(refused: readonly Refused[]): InBoth {
  const dates = [...new Set(refused.map(({ date }) => date))].join(', ');
  const list = (words: (reason: string) => string) =>
    refusedLines(refused, ({ entryId, description, reason }) => `${entryId} ${description ?? ''}: ${words(reason)}`);
  return {
    en: {
      title: `Reverse the entries planned for ${dates}`,
      body:
        `${list((reason) => reason)}\n` +
        'Solve this, and they are reversed within an hour; or reverse them on another day, or change `reversesOn`.',
    },
    es: {
      title: `Anule los asientos previstos para ${dates}`,
      body:
        `${list((reason) => translate(reason, 'es'))}\n` +
        'Resuélvalo y se anularán en una hora; o anúlelos otro día, o cambie `reversesOn`.',
    },
  };
}
