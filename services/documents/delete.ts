/** Deleting what leaves no gap: drafts of invoices, and the last receipt of a series. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { inUse, ServiceError } from '../../domain/errors.ts';
import { revalueBackdated } from '../stock/revalue.ts';
import { documentEvent } from './events.ts';
import { giveBack } from './give-back.ts';
import { AUDIT_SQL, auditBindings, EVENT_SQL, goodsBindings, goodsParts, PERIOD_SQL } from './insert.ts';
import { type ActionOptions, loadFor } from './load-for.ts';
import { presentDocument } from './present.ts';
import type { DocumentRow } from './stored.ts';
import { refuseWrite } from './write-state.ts';

/** The number is free again; no row when another document has taken the next one. */
const FREE_NUMBER_SQL = `update series set next_number = next_number - 1
  where id = :seriesId and next_number = :number + 1 and exists (select 1 from period) returning 1`;

/**
 * Deletes a draft invoice, whose bases are open again, or the last purchase delivery note of its series: its goods go out on its own
 * day, as if they had never come, its order reopens, and its number is free again.
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, not_last_of_series, in_use, insufficient_stock
 */
export async function deleteDocument(trx: Db, ctx: Context, documentId: string, options: ActionOptions): Promise<void> {
  const document = await loadFor(trx, documentId, 'delete', options);
  const { row, lines, taxes } = document;
  const moves = DOCUMENT_TYPES[row.docType].kind === 'delivery_note';
  if (moves) await assertLast(trx, row);
  const moved = await giveBack(trx, ctx, document, { freed: [], undone: moves, date: row.date });
  const rows = await query<unknown>(
    trx,
    `with period as (${PERIOD_SQL}), numbering as (${row.number === null ? 'select 1 from period' : FREE_NUMBER_SQL}),
     written as (delete from documents where id = :id and version = :version and exists (select 1 from numbering) returning number, code),
     ${goodsParts(moved)}
     audited as (${AUDIT_SQL}), happened as (${EVENT_SQL})
     select * from written`,
    {
      ...auditBindings(
        ctx,
        row,
        'DELETE',
        presentDocument(row, lines, taxes),
        null,
        documentEvent('document.deleted', row),
      ),
      periodId: row.periodId,
      seriesId: row.seriesId,
      number: row.number,
      version: row.version,
      ...goodsBindings(row.docType, moved),
    },
  );
  if (rows.length === 0) await refuseWrite(trx, row);
  await revalueBackdated(trx, ctx, moved.costs.backdated, moved.date);
}

/** @throws ServiceError not_last_of_series; in_use when other documents name it, cancelled ones too */
async function assertLast(trx: Db, { id, code, number, seriesId }: DocumentRow): Promise<void> {
  const [found] = await query<{ last: boolean; docType: keyof typeof DOCUMENT_TYPES | null; users: number }>(
    trx,
    `select (select next_number = :number::integer + 1 from series where id = :seriesId) as last, min(d.doc_type) as "docType", count(*)::integer as users
     from documents d where d.returns = :id or d.id in (select document_id from document_lines where base_id = :id)`,
    { id, number, seriesId },
  );
  if (found?.last !== true) {
    throw new ServiceError('not_last_of_series', `${code} is not the last of its series: cancel it instead`);
  }
  if (found.docType !== null) {
    const { entityType } = DOCUMENT_TYPES[found.docType];
    throw inUse([{ entityType, count: found.users }]);
  }
}
