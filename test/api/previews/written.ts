/** The rows of a company's database, and those added since: compares previews with the acts themselves. */
import { createHash } from 'node:crypto';
import { isNews } from '../../../domain/platform/internal-events.ts';
import type { TestApp } from '../../helpers/app.ts';

type Row = Readonly<Record<string, unknown>>;

/** A hash of all rows that a company can read. What requests note of their keys is left out. */
export async function fingerprint(app: TestApp): Promise<string> {
  const tables = await rows(
    app,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' 
       and has_table_privilege(current_user, format('%I', table_name), 'select') and table_name <> 'api_keys' order by 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const [row] = await rows(app, `select md5(string_agg(t::text, ',' order by t::text)) as md5 from ${name} t`);
    hash.update(`${name} ${row?.md5}\n`);
  }
  return hash.digest('hex');
}

/** Entries, movements and events, in terms that a preview and its act share. */
export interface Written {
  readonly entries: readonly string[];
  readonly moves: readonly string[];
  readonly events: readonly string[];
}

/** Returns what a preview's answer announces. */
export function shown({ entries, stock_moves: moves, events }: Row): Written {
  return {
    entries: (entries as Row[])
      .map(({ date, lines }) =>
        [date, ...(lines as Row[]).map(({ accountCode, debit, credit }) => `${accountCode} ${debit} ${credit}`)].join(
          '; ',
        ),
      )
      .sort(),
    moves: (moves as Row[])
      .map(({ date, itemCode, quantity, value }) => `${date} ${itemCode} ${quantity} ${value}`)
      .sort(),
    events: (events as Row[]).map(({ event }) => String(event)).sort(),
  };
}

/** A mark before an act; `since` says what it has added. */
export async function mark(app: TestApp): Promise<{ since(): Promise<Written> }> {
  const known = await ids(app);
  return {
    async since() {
      const all = await ids(app);
      const fresh = (kind: 'entries' | 'moves' | 'events') => all[kind].filter((id) => !known[kind].includes(id));
      const entries = await Promise.all(
        fresh('entries').map(async (id) => (await app.client.get(`/api/journal-entries/${id}`)).body.data),
      );
      const moves = (await app.client.get('/api/stock/movements?limit=500')).body.data as Row[];
      const events = await rows(app, `select id, event from outbox where processed_at is null`);
      const freshMoves = new Set(fresh('moves'));
      const freshEvents = new Set(fresh('events'));
      return shown({
        entries,
        stock_moves: moves.filter(({ id }) => freshMoves.has(String(id))),
        events: events.filter(({ id, event }) => freshEvents.has(String(id)) && isNews(String(event))),
      });
    },
  };
}

async function ids(app: TestApp) {
  const of = async (table: string, where = 'true') =>
    (await rows(app, `select id from ${table} where ${where}`)).map(({ id }) => String(id));
  return {
    entries: await of('journal_entries', `status = 'posted'`),
    moves: await of('stock_movements'),
    events: await of('outbox'),
  };
}

async function rows(app: TestApp, sql: string): Promise<Row[]> {
  return await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => (await trx.raw(sql)).rows as Row[]);
}
