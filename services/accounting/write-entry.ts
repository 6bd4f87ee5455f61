/** Writes posted entries: head, lines and audit record as parts of one statement, beside what they are entered for. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import type { JournalEntry } from '../../db/models/accounting.ts';
import { prepared } from '../../db/sql.ts';
import { balances, type EntryKind, type EntryLine, entrySums } from '../../domain/accounting/entries.ts';

/** An entry as an event makes it. */
export interface EntryToWrite {
  readonly date: string;
  /** Its period, which the caller's statement holds open. */
  readonly periodId: string;
  readonly kind?: EntryKind;
  readonly description: string | null;
  /** Follows the description, after the code of what was written beside it. */
  readonly detail?: string;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  readonly lines: readonly EntryLine[];
}

/** The columns of a posted head, and of its lines. */
export const HEAD = `id, tenant_id, fiscal_year, date, period_id, kind, status, description, source_type, source_id, reversal_of, line_count, total,
    created_by, posted_at, version, created_at, updated_at`;
export const LINES = `tenant_id, entry_id, line_number, date, kind, account_id, debit, credit, partner_id, project_id, cost_center_id, description,
    tax_kind, tax_operation, tax_use, tax_rectifying, tax_group_id, tax_rate, tax_base, tax_amount`;
/** The lines of `entry`, from a binding. */
const LINES_PART = `entry_lines as (
    insert into journal_lines (${LINES})
    select :tenant, entry.id, l."lineNumber", entry.date, entry.kind, l."accountId", l.debit, l.credit, l."partnerId", l."projectId", l."costCenterId", l.description,
      l.tax->>'kind', l.tax->>'operation', l.tax->>'use', (l.tax->>'rectifying')::boolean, (l.tax->>'groupId')::uuid, (l.tax->>'rate')::numeric,
      (l.tax->>'base')::numeric, (l.tax->>'amount')::numeric
    from entry, json_to_recordset(:entryLines::json) as l("lineNumber" integer, "accountId" uuid, debit numeric, credit numeric, "partnerId" uuid,
      "projectId" uuid, "costCenterId" uuid, description text, tax json)
  )`;
const AUDIT = `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, new_value, created_at)
    select :entryAuditId, :tenant, 'JournalEntry', entry.id, case entry.version when 1 then 'CREATE' else 'UPDATE' end, :userId::uuid, :actor, :requestId,`;

/** The head of an entry in the audit log; `entry` is the row. */
export const AUDIT_VALUES = `jsonb_build_object('date', entry.date, 'periodId', entry.period_id, 'kind', entry.kind, 'status', entry.status,
      'description', entry.description, 'sourceType', entry.source_type, 'sourceId', entry.source_id, 'reversalOf', entry.reversal_of, 'version', entry.version)`;

/**
 * Parts of a `with` that write an entry.
 * @param code SQL of what comes between description and detail
 * @param condition ends the part, so that it does nothing when its cause was not written
 */
export function entryParts(code: string, condition: string): string {
  return `entry as (
    insert into journal_entries (${HEAD})
    select :entryId::uuid, :tenant, fiscal_year_of(:tenant, :entryDate::date), :entryDate::date, :entryPeriodId::uuid, :entryKind, 'posted',
      nullif(:entryDescription::text || ${code} || :entryDetail, ''), :sourceType, :sourceId::uuid, null, :entryLineCount::integer, :entryTotal::numeric,
      :userId::uuid, :now::timestamptz, 1, :now::timestamptz, :now::timestamptz
    ${condition} returning *
  ), ${LINES_PART}, entry_audited as (
    ${AUDIT} (${AUDIT_VALUES} || jsonb_build_object('lines', :entryLines::jsonb))::json, :now::timestamptz from entry
  )`;
}

/** What `entryParts` takes besides tenant, userId, actor, requestId and now. */
export function entryBindings(entry: EntryToWrite): Record<string, string | number | null> {
  if (!balances(entry.lines)) throw new Error(`an entry of ${entry.sourceType} does not balance`);
  return {
    entryId: newId(),
    entryAuditId: newId(),
    entryDate: entry.date,
    entryPeriodId: entry.periodId,
    entryKind: entry.kind ?? 'normal',
    entryDescription: entry.description ?? '',
    entryDetail: entry.detail ?? '',
    sourceType: entry.sourceType,
    sourceId: entry.sourceId,
    entryLineCount: entry.lines.length,
    entryTotal: entrySums(entry.lines).debit,
    entryLines: JSON.stringify(entry.lines.map((line, index) => ({ lineNumber: index + 1, ...line }))),
  };
}

/**
 * Parts of a `with` that write the opposite of an entry, which must not have been reversed.
 * @param original SQL condition on `e`, the entry
 */
export function reversalParts(original: string): string {
  return `original as (
    select e.* from journal_entries e where ${original} and e.status = 'posted' and e.reversal_of is null
  ), entry as (
    insert into journal_entries (${HEAD})
    select :entryId::uuid, :tenant, fiscal_year_of(:tenant, :entryDate::date), :entryDate::date, :entryPeriodId::uuid, o.kind, 'posted',
      'Anulación: ' || o.description, o.source_type, o.source_id, o.id, o.line_count, o.total,
      :userId::uuid, :now::timestamptz, 1, :now::timestamptz, :now::timestamptz
    from original o returning *
  ), entry_lines as (
    insert into journal_lines (${LINES})
    select :tenant, entry.id, l.line_number, entry.date, entry.kind, l.account_id, l.credit, l.debit, l.partner_id, l.project_id, l.cost_center_id, l.description,
      l.tax_kind, l.tax_operation, l.tax_use, l.tax_rectifying, l.tax_group_id, l.tax_rate, -l.tax_base, -l.tax_amount
    from entry join journal_lines l on l.entry_id = entry.reversal_of
  ), entry_audited as (
    ${AUDIT} ${AUDIT_VALUES}::json, :now::timestamptz from entry
  )`;
}

/** What `reversalParts` takes besides tenant, userId, actor, requestId and now. */
export function reversalBindings(on: { readonly date: string; readonly periodId: string }): Record<string, string> {
  return { entryId: newId(), entryAuditId: newId(), entryDate: on.date, entryPeriodId: on.periodId };
}

/** Tenant, time and who did it, as all of these parts take them. */
function contextBindings(ctx: Context): Record<string, string | null> {
  const { tenantId: tenant, userId, actor, requestId, now } = ctx;
  return { tenant, userId, actor, requestId, now: now.toISOString() };
}

const OPEN_PERIOD = `select id from periods where id = :entryPeriodId and status = 'O' for share`;

/**
 * Posts an entry in the caller's transaction, in one round trip.
 * @returns its id
 * @throws ConcurrentChange when its period was closed since it was read; Error when it does not balance
 */
export async function writeEntry(trx: Db, ctx: Context, entry: EntryToWrite): Promise<string> {
  const [written] = await prepared<{ id: string }>(
    trx,
    `with period as (${OPEN_PERIOD}), ${entryParts(`''`, 'from period')} select id from entry`,
    { ...contextBindings(ctx), ...entryBindings(entry) },
  );
  if (!written) throw new ConcurrentChange();
  return written.id;
}

/**
 * Posts a draft that the caller has locked and checked, in one round trip.
 * @throws ConcurrentChange when its period was closed since it was read
 */
export async function postDraft(trx: Db, ctx: Context, draft: JournalEntry, entry: EntryToWrite): Promise<void> {
  const [written] = await prepared<{ id: string }>(
    trx,
    `with period as (${OPEN_PERIOD}), entry as (
       update journal_entries e set status = 'posted', draft_lines = null, posted_at = :now::timestamptz, version = e.version + 1, updated_at = :now::timestamptz,
         line_count = :entryLineCount::integer, total = :entryTotal::numeric
       from period where e.id = :draftId and e.version = :version returning e.*
     ), ${LINES_PART}, entry_audited as (
       ${AUDIT} (${AUDIT_VALUES} || jsonb_build_object('lines', :entryLines::jsonb))::json, :now::timestamptz from entry
     ) select id from entry`,
    { ...contextBindings(ctx), ...entryBindings(entry), draftId: draft.id, version: draft.version },
  );
  if (!written) throw new ConcurrentChange();
}

/**
 * Posts the opposite of a posted entry in the caller's transaction, in one round trip.
 * @returns the id of the reversal
 * @throws ConcurrentChange when the period was closed since it was read; duplicate when it has been reversed already
 */
export async function writeReversal(
  trx: Db,
  ctx: Context,
  entryId: string,
  on: { readonly date: string; readonly periodId: string },
): Promise<string> {
  const [written] = await prepared<{ id: string }>(
    trx,
    `with period as (${OPEN_PERIOD}), ${reversalParts('e.id = :reversedId and exists (select from period)')} select id from entry`,
    { ...contextBindings(ctx), ...reversalBindings(on), reversedId: entryId },
  );
  if (!written) throw new ConcurrentChange();
  return written.id;
}
