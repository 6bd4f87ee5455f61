/**
 * Holds what was under way at the time of a backup that was restored. Nobody knows whether it was done afterwards, so it is ended, listed
 * for the owners of its company, and done again only if a person says so. What leaves nothing outside is not held: it just goes on.
 */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { MailHandlers } from '../../messages/mail/handlers.ts';
import { assignRestoreToDo } from './assign.ts';
import { holdDeliveries } from './deliveries.ts';
import { holdEvents } from './events.ts';
import { holdMails } from './mails.ts';
import { holdRest } from './rest.ts';
import { type Count, type Held, type Restored, restoreContext } from './restored.ts';

export interface HoldDeps {
  readonly database: Database;
  readonly mailHandlers: MailHandlers;
}

const NOTHING_HELD: Held = { mails: 0, deliveries: 0, runs: 0, automations: 0, tasks: 0, submissions: 0 };

const COMPANIES = `
  select id from tenants where id > :after::uuid and (:only::uuid is null or id = :only::uuid) order by id limit 500`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Holds the doubtful work of all companies, or of one, and gives their owners a to-do. No worker may run meanwhile. May be repeated: what
 * is held stays held, and the to-do is not given twice.
 * @returns what was held in all
 */
export async function holdDoubtfulWork(deps: HoldDeps, restored: Restored): Promise<Held> {
  const { database } = deps;
  const counts = new Map<string, Held>();
  const count: Count = (tenantId, held) => counts.set(tenantId, sum(counts.get(tenantId) ?? NOTHING_HELD, held));
  await holdEvents(database, restored, count);
  await holdDeliveries(database, restored, count);
  await holdMails(database, deps.mailHandlers, restored, count);
  for await (const tenantId of companies(database, restored)) {
    const ctx = restoreContext(tenantId, restored.now);
    count(tenantId, await holdRest(database, ctx, restored));
    await assignRestoreToDo(database, ctx, restored, counts.get(tenantId) ?? NOTHING_HELD);
  }
  // Orders to the bank of all companies are compared with it.
  if (restored.only !== undefined) return counts.get(restored.only) ?? NOTHING_HELD;
  await database.withSystem((trx) =>
    query(
      trx,
      `insert into restores (as_of, restored_at) values (:backedUpAt::timestamptz, :now::timestamptz) on conflict (as_of) do nothing`,
      { backedUpAt: restored.backedUpAt.toISOString(), now: restored.now.toISOString() },
    ),
  );
  return [...counts.values()].reduce((all, one) => sum(all, one), NOTHING_HELD);
}

async function* companies(database: Database, { only = null }: { only?: string | null }): AsyncGenerator<string> {
  let after = FIRST;
  for (;;) {
    const page = await database.withSystem((trx) => query<{ id: string }>(trx, COMPANIES, { after, only }));
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function sum(one: Held, other: Partial<Held>): Held {
  const entries = Object.entries(one) as [keyof Held, number][];
  return Object.fromEntries(entries.map(([name, value]) => [name, value + (other[name] ?? 0)])) as unknown as Held;
}
