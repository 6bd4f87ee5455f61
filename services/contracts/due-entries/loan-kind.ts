/** Instalments of loans that are due, and what becomes short-term at the end of a fiscal year. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Loan } from '../../../db/models/ledger/loans.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { enterNext } from '../../ledger/loans/acts.ts';
import { lockLoan } from '../../ledger/loans/state.ts';
import { attempt, refusedLines } from './attempt.ts';
import type { DueKind, InBoth } from './kind.ts';

/** Loans of one transaction, and entries: a loan may have many that are due. */
const PAGE = 100;

interface Refused {
  readonly code: string;
  readonly date: string;
  readonly reason: string;
}

export const LOAN_KIND: DueKind = {
  name: 'loans',
  refused: { en: 'Instalments of loans could not be entered', es: 'No se pudieron contabilizar cuotas de préstamos' },
  companies: 'select tenant_id from loans where next_on <= :day::date + 1',

  async enter(trx, ctx, today) {
    const due = (await Loan.query(trx)
      .where('next_on', '<=', today)
      .orderBy('next_on')
      .orderBy('id')
      .limit(PAGE)) as Loan[];
    const refused: Refused[] = [];
    let entered = 0;
    for (const { id } of due) {
      const done = await enterLoan(trx, ctx, id, { today, most: PAGE - entered });
      entered += done.entered;
      if (done.refused !== null) refused.push(done.refused);
      if (entered >= PAGE) break;
    }
    // Those that are refused stay due: a page of nothing else is the last.
    const more = entered >= PAGE || (due.length === PAGE && entered > 0);
    return { entered, more, toDo: refused.length === 0 ? null : toDoAbout(refused), notice: null };
  },
};

/** Enters what is due of a loan, up to what is refused. @param limits.most entries, at least one */
async function enterLoan(
  trx: Db,
  ctx: Context,
  id: string,
  { today, most }: { readonly today: string; readonly most: number },
) {
  let loan = await lockLoan(trx, id, null);
  for (let entered = 0; ; entered++) {
    const { code, nextOn } = loan;
    if (nextOn === null || nextOn > today || entered >= most) return { entered, refused: null };
    const done = await attempt(trx, (inner) => enterNext(inner, ctx, loan));
    if ('reason' in done) return { entered, refused: { code, date: nextOn, reason: done.reason } };
    loan = done.made;
  }
}

function toDoAbout(refused: readonly Refused[]): InBoth {
  const codes = refused.map(({ code }) => code).join(', ');
  const list = (words: (reason: string) => string) =>
    refusedLines(refused, ({ code, date, reason }) => `${code}, ${date}: ${words(reason)}`);
  return {
    en: {
      title: `Enter what is due of the loans ${codes}`,
      body: `${list((reason) => reason)}\nSolve this, and it is entered within an hour.`,
    },
    es: {
      title: `Contabilice lo vencido de los préstamos ${codes}`,
      body: `${list((reason) => translate(reason, 'es'))}\nResuélvalo y se contabilizará en una hora.`,
    },
  };
}
