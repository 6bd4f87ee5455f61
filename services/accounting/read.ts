/** Entries as clients see them. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { notFound } from '../../domain/errors.ts';
import { type Decimal, round, toNumber } from '../../domain/money.ts';
import { PLACES } from '../settings/format.ts';

export interface EntryHead {
  readonly id: string;
  readonly number: number | null;
  readonly fiscal_year: number;
  readonly date: string;
  readonly period_id: string;
  readonly kind: string;
  readonly status: string;
  readonly description: string | null;
  readonly source_type: string | null;
  readonly source_id: string | null;
  readonly reversal_of: string | null;
  readonly reversed_by: string | null;
  readonly total: Decimal;
  readonly places: number;
  readonly created_by: string | null;
  readonly posted_at: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Heads; `e` is the entry. */
export const ENTRY_COLUMNS = [
  'e.id',
  'e.number',
  'e.fiscal_year',
  'e.date',
  'e.period_id',
  'e.kind',
  'e.status',
  'e.description',
  'e.source_type',
  'e.source_id',
  'e.reversal_of',
  '(select r.id from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id) as reversed_by',
  'e.total',
  `${PLACES} as places`,
  'e.created_by',
  'e.posted_at',
  'e.version',
  'e.created_at',
  'e.updated_at',
] as const;

interface StoredLine {
  readonly lineNumber: number;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly [member: string]: unknown;
}

const LINE_MEMBERS = `'accountId', a.id, 'accountCode', a.code, 'accountName', a.name`;
const LINES_SQL = `coalesce(
    (select json_agg(json_build_object('lineNumber', l.line_number, ${LINE_MEMBERS}, 'debit', l.debit::text, 'credit', l.credit::text,
        'partnerId', l.partner_id, 'projectId', l.project_id, 'costCenterId', l.cost_center_id, 'description', l.description,
        'tax', case when l.tax_kind is not null then json_build_object('kind', l.tax_kind, 'operation', l.tax_operation, 'use', l.tax_use,
          'rectifying', l.tax_rectifying, 'taxGroupId', l.tax_group_id, 'rate', l.tax_rate::float8, 'base', l.tax_base::float8, 'amount',
            l.tax_amount::float8) end)
      order by l.line_number)
     from journal_lines l join accounts a on a.id = l.account_id where l.entry_id = e.id),
    (select json_agg(json_build_object('lineNumber', d.place, ${LINE_MEMBERS}, 'debit', d.line->>'debit', 'credit', d.line->>'credit',
        'partnerId', d.line->'partnerId', 'projectId', d.line->'projectId', 'costCenterId', d.line->'costCenterId', 'description',
          d.line->'description',
        'tax', case when jsonb_typeof(d.line->'tax') = 'object'
          then json_build_object('kind', d.line->'tax'->'kind', 'operation', d.line->'tax'->'operation',
          'use', d.line->'tax'->'use', 'rectifying', d.line->'tax'->'rectifying', 'taxGroupId', d.line->'tax'->'groupId',
          'rate', (d.line->'tax'->>'rate')::float8, 'base', (d.line->'tax'->>'base')::float8, 'amount', (d.line->'tax'->>'amount')::float8)
            end)
        order by d.place)
     from jsonb_array_elements(e.draft_lines) with ordinality as d(line, place) join accounts a
       on a.id = (d.line->>'accountId')::uuid)) as lines`;

/** The head of an entry as clients see it. */
export function entryToJson(row: EntryHead) {
  return {
    id: row.id,
    number: row.number,
    fiscalYear: row.fiscal_year,
    date: row.date,
    periodId: row.period_id,
    kind: row.kind,
    status: row.status,
    description: row.description,
    sourceType: row.source_type,
    sourceId: row.source_id,
    reversalOf: row.reversal_of,
    reversedBy: row.reversed_by,
    total: toNumber(round(row.total, row.places)),
    createdBy: row.created_by,
    postedAt: row.posted_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** One entry with its lines. @throws ServiceError not_found */
export async function readEntry(db: Db, id: string) {
  const [row] = await query<EntryHead & { lines: StoredLine[] }>(
    db,
    `select ${ENTRY_COLUMNS.join(', ')}, ${LINES_SQL} from journal_entries e where e.id = :id`,
    { id },
  );
  if (row === undefined) throw notFound('This journal entry');
  const money = (value: Decimal) => toNumber(round(value, row.places));
  const lines = row.lines.map((line) => ({ ...line, debit: money(line.debit), credit: money(line.credit) }));
  return { ...entryToJson(row), lines };
}
