/** Manual entries that are reversed on a day that was planned. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { reverseEntry } from '../../bank/manual-entries/manual.ts';
import { loadDueReversals, type PlannedReversal } from '../../ledger/accounting/planned-reversals.ts';
import type { DueKind, InBoth } from './kind.ts';

/** Reversals of one transaction. */
const PAGE = 200;
/** Refused ones that a to-do names. */
const NAMED = 5;

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
      const reason = await reverse(trx, ctx, one);
      if (reason !== null) refused.push({ ...one, reason });
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

/** @returns why it cannot be reversed; null if it is */
async function reverse(trx: Db, ctx: Context, { entryId, date }: PlannedReversal): Promise<string | null> {
  try {
    // A savepoint undoes what a refused one has written.
    await trx.transaction((inner) => reverseEntry(inner, ctx, entryId, { date, ifMatch: null }));
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    return error.message;
  }
}

function toDoAbout(refused: readonly Refused[]): InBoth {
  const dates = [...new Set(refused.map(({ date }) => date))].join(', ');
  const named = refused.slice(0, NAMED);
  const list = (words: (one: Refused) => string) => named.map(words).join('\n');
  return {
    en: {
      title: `Reverse the entries planned for ${dates}`,
      body:
        `${list(({ entryId, description, reason }) => `${entryId} ${description ?? ''}: ${reason}`)}\n` +
        'Solve this, and they are reversed within an hour; or reverse them on another day, or change `reversesOn`.',
    },
    es: {
      title: `Anule los asientos previstos para ${dates}`,
      body:
        `${list(({ entryId, description, reason }) => `${entryId} ${description ?? ''}: ${translate(reason, 'es')}`)}\n` +
        'Resuélvalo y se anularán en una hora; o anúlelos otro día, o cambie `reversesOn`.',
    },
  };
}
