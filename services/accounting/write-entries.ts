/** Writes many posted entries in one statement, for what is done page by page. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import { prepared } from '../../db/sql.ts';
import { balances, entrySums } from '../../domain/accounting/entries.ts';
import { AUDIT_VALUES, type EntryToWrite, HEAD, LINES } from './write-entry.ts';

const ENTRIES_SQL = `with open as (
    select id from periods where id = any(:periods::uuid[]) and status = 'O' for share
  ), entry as (
    insert into journal_entries (${HEAD})
    select n.id, :tenant, fiscal_year_of(:tenant, n.date), n.date, n."periodId", n.kind, 'posted', nullif(n.description, ''), n."sourceType", n."sourceId", null,
      n."lineCount", n.total, :userId::uuid, :now::timestamptz, 1, :now::timestamptz, :now::timestamptz
    from json_to_recordset(:entries::json) as n(id uuid, date date, "periodId" uuid, kind text, description text, "sourceType" text, "sourceId" uuid,
      "lineCount" integer, total numeric)
    where n."periodId" in (select id from open) returning *
  ), entry_lines as (
    insert into journal_lines (${LINES})
    select :tenant, entry.id, l."lineNumber", entry.date, entry.kind, l."accountId", l.debit, l.credit, l."partnerId", l."projectId", l."costCenterId", l.description,
      l.tax->>'kind', l.tax->>'operation', l.tax->>'use', (l.tax->>'rectifying')::boolean, (l.tax->>'groupId')::uuid, (l.tax->>'rate')::numeric,
      (l.tax->>'base')::numeric, (l.tax->>'amount')::numeric
    from entry join json_to_recordset(:entries::json) as n(id uuid, lines json) on n.id = entry.id
    cross join json_to_recordset(n.lines) as l("lineNumber" integer, "accountId" uuid, debit numeric, credit numeric, "partnerId" uuid,
      "projectId" uuid, "costCenterId" uuid, description text, tax json)
  ), audited as (
    insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, new_value, created_at)
    select n."auditId", :tenant, 'JournalEntry', entry.id, 'CREATE', :userId::uuid, :actor, :requestId,
      (${AUDIT_VALUES} || jsonb_build_object('lines', n.lines))::json, :now::timestamptz
    from entry join json_to_recordset(:entries::json) as n(id uuid, "auditId" uuid, lines jsonb) on n.id = entry.id
  )
  select count(*)::int as written from entry`;

/**
 * Posts entries in the caller's transaction, in one round trip however many there are.
 * @throws ConcurrentChange when one of their periods was closed since it was read; Error when one does not balance
 */
export async function writeEntries(trx: Db, ctx: Context, entries: readonly EntryToWrite[]): Promise<void> {
  if (entries.length === 0) return;
  const unbalanced = entries.find(({ lines }) => !balances(lines));
  if (unbalanced !== undefined) throw new Error(`an entry of ${unbalanced.sourceType} does not balance`);
  const { tenantId: tenant, userId, actor, requestId, now } = ctx;
  const [done] = await prepared<{ written: number }>(trx, ENTRIES_SQL, {
    tenant,
    userId,
    actor,
    requestId,
    now: now.toISOString(),
    periods: [...new Set(entries.map(({ periodId }) => periodId))],
    entries: JSON.stringify(
      entries.map(({ lines, detail = '', description, kind = 'normal', ...entry }) => ({
        ...entry,
        kind,
        id: newId(),
        auditId: newId(),
        description: `${description ?? ''}${detail}`,
        lineCount: lines.length,
        total: entrySums(lines).debit,
        lines: lines.map((line, index) => ({ lineNumber: index + 1, ...line })),
      })),
    ),
  });
  if (done?.written !== entries.length) throw new ConcurrentChange();
}
