/** Companies in which entries are due, and making these. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Role } from '../../../domain/permissions.ts';
import { shortened } from '../../../domain/shorten.ts';
import { findRecipients } from '../../messages/notifications/recipients.ts';
import { MAX_BODY, MAX_TITLE } from '../../messages/to-dos/schemas.ts';
import { assignToDo } from '../../messages/to-dos/to-dos.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { DEFERRAL_KIND } from './deferral-kind.ts';
import type { DueKind, EnteredSome } from './kind.ts';

const KINDS: readonly DueKind[] = [DEFERRAL_KIND];

/** Companies of one page. */
const COMPANIES = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

const COMPANIES_SQL = `select distinct tenant_id as "tenantId" from (${KINDS.map((kind) => kind.companies).join(' union all ')}) due
  where tenant_id > :after::uuid order by 1 limit :limit::integer`;

/** @returns the next companies in which entries are due, and the last of them if there may be more */
export async function companiesWithDueEntries(database: Database, now: Date, after: string | null) {
  // Every company has begun the day after this one, wherever it is.
  const day = daysAfter(now.toISOString().slice(0, 10), -1);
  const rows = await database.withSystem((trx) =>
    prepared<{ tenantId: string }>(trx, COMPANIES_SQL, { day, after: after ?? FIRST, limit: COMPANIES }),
  );
  const companies = rows.map(({ tenantId }) => tenantId);
  return { companies, last: companies.length < COMPANIES ? null : (companies.at(-1) ?? null) };
}

/**
 * Makes the entries of a company that are due, some in each transaction. Whoever cannot be helped by repeating it is left for people.
 * @param progress called between transactions; it may throw
 * @returns how many were made
 */
export async function enterDue(database: Database, ctx: Context, progress: () => void): Promise<number> {
  let entered = 0;
  for (const kind of KINDS) {
    for (let more = true; more; ) {
      progress();
      const done = await enterSome(database, ctx, kind);
      entered += done.entered;
      more = done.more;
    }
  }
  return entered;
}

const NOTHING: EnteredSome = { entered: 0, more: false, toDo: null };

async function enterSome(database: Database, ctx: Context, kind: DueKind): Promise<EnteredSome> {
  try {
    return await database.withTenant(ctx, async (trx) => {
      const done = await kind.enter(trx, ctx, await loadToday(trx, ctx));
      if (done.toDo !== null) await assign(trx, ctx, done.toDo);
      return done;
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    return NOTHING;
  }
}

/** Gives the to-do to the accountants, or else to the owners. */
async function assign(trx: Db, ctx: Context, { en, es }: NonNullable<EnteredSome['toDo']>): Promise<void> {
  const { locale } = await loadSettings(trx, 'format');
  const { title, body } = locale.startsWith('es') ? es : en;
  for (const role of ['accountant', 'owner'] satisfies Role[]) {
    if ((await findRecipients(trx, { roles: [role], userIds: [] })).length === 0) continue;
    const words = { title: shortened(title, MAX_TITLE), body: shortened(body, MAX_BODY) };
    await assignToDo(trx, ctx, { kind: 'to_do', role, ...words, user_id: null, due_at: null, document_id: null });
    return;
  }
}
