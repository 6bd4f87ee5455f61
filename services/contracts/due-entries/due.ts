/** Companies in which entries are due, and making these. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { DEFERRAL_KIND } from './deferral-kind.ts';
import { DEPRECIATION_KIND } from './depreciation-kind.ts';
import type { DueKind, EnteredSome, InBoth } from './kind.ts';
import { LOAN_KIND } from './loan-kind.ts';
import { PROVISION_KIND } from './provision-kind.ts';
import { REVERSAL_KIND } from './reversal-kind.ts';
import { tellEntered, tellObstacle } from './tell.ts';

const KINDS: readonly DueKind[] = [REVERSAL_KIND, LOAN_KIND, DEFERRAL_KIND, DEPRECIATION_KIND, PROVISION_KIND];

/** Companies of one page. */
const COMPANIES = 100;
/** Comes before all companies. */
export const BEGINNING = '00000000-0000-0000-0000-000000000000';
/** Transactions for each kind in one turn of a company: what else is due waits until the others have had theirs. */
const TURN = 5;

/** Companies that were told of an obstacle are among them: it may be gone, with what was due. */
const SOME_DUE = [...KINDS.map(({ companies }) => companies), 'select tenant_id from due_entry_obstacles'];
const COMPANIES_SQL = `select distinct tenant_id as "tenantId" from (${SOME_DUE.join(' union all ')}) due
  where tenant_id > :after::uuid order by 1 limit :limit::integer`;

/** @returns the next companies in which entries are due, and the last of them if there may be more */
export async function companiesWithDueEntries(database: Database, now: Date, after: string | null) {
  // Every company has reached this day, wherever it is.
  const day = daysAfter(now.toISOString().slice(0, 10), -1);
  const rows = await database.withSystem((trx) =>
    prepared<{ tenantId: string }>(trx, COMPANIES_SQL, { day, after: after ?? BEGINNING, limit: COMPANIES }),
  );
  const companies = rows.map(({ tenantId }) => tenantId);
  return { companies, last: companies.length < COMPANIES ? null : (companies.at(-1) ?? null) };
}

export interface DueWatch {
  /** Called between transactions; it may throw. */
  readonly progress: () => void;
  /** Called when none of a kind can be entered. */
  readonly refused: (kind: string, reason: string) => void;
}

/** The result of a company's turn: how much was made, and whether more is due. */
export type Turn = Pick<EnteredSome, 'entered' | 'more'>;

/**
 * Makes the entries of a company that are due, some in each transaction. A kind that is refused delays no other: people are told why.
 * @param turn transactions for each kind
 */
export async function enterDue(database: Database, ctx: Context, watch: DueWatch, turn = TURN): Promise<Turn> {
  let entered = 0;
  let more = false;
  for (const kind of KINDS) {
    let goesOn = true;
    for (let left = turn; goesOn && left > 0; left--) {
      watch.progress();
      const done = await enterSome(database, ctx, kind, watch);
      entered += done.entered;
      goesOn = done.more;
    }
    more ||= goesOn;
  }
  return { entered, more };
}

async function enterSome(database: Database, ctx: Context, kind: DueKind, watch: DueWatch): Promise<Turn> {
  try {
    return await database.withTenant(ctx, async (trx) => {
      const done = await kind.enter(trx, ctx, await loadToday(trx, ctx));
      if (done.notice !== null) await tellEntered(trx, ctx, done.notice);
      if (!done.more) await tellObstacle(trx, ctx, kind.name, done.toDo);
      return done;
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    const { message } = error;
    watch.refused(kind.name, message);
    await database.withTenant(ctx, (trx) => tellObstacle(trx, ctx, kind.name, toDoAbout(kind, message)));
    return { entered: 0, more: false };
  }
}

function toDoAbout({ refused }: DueKind, reason: string): InBoth {
  return {
    en: { title: refused.en, body: `${reason}\nSolve this, and they are entered within an hour.` },
    es: { title: refused.es, body: `${translate(reason, 'es')}\nResuélvalo y se contabilizarán en una hora.` },
  };
}
