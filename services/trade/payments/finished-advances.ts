/** Releases advances on orders and notes that will not be invoiced any more: they become credit again. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { prepared } from '../../../db/sql.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { isOwed } from '../../../domain/trade/payments/types.ts';
import { lockDocuments } from '../documents/read.ts';
import { type LinkRow, type PaymentRow, reversed } from './payment.ts';
import { settledBy, writePayments } from './write.ts';

/** Orders and notes that are fully delivered, invoiced or given up, without notes to invoice or invoices to post. */
const FINISHED_SQL = `with next as (
    select l.base_id as base, n.id, n.doc_type, n.status
    from document_lines l join documents n on n.id = l.document_id where l.base_id = any(:ids::uuid[])
  )
  select b.id from documents b where b.id = any(:ids::uuid[]) and b.status = ${STATE.closed}
    and not exists (select from next where base = b.id and (status = ${STATE.draft} or status in (${STATE.open}, ${STATE.partial})
      and doc_type in ('SDN', 'PDN')))
    and not exists (select from next join document_lines l on l.base_id = next.id join documents i on i.id = l.document_id
      where next.base = b.id and i.status = ${STATE.draft})`;

/**
 * Removes the rest of finished advances from their orders and notes. Nothing is entered: it stays on the partner's account for advances.
 * @param payment locked
 * @returns the payment afterwards
 */
export async function releaseAdvances(trx: Db, ctx: Context, payment: PaymentRow): Promise<PaymentRow> {
  const advances = payment.links.filter(({ docType }) => !isOwed(docType));
  if (advances.length === 0) return payment;
  const ids = advances.map(({ documentId }) => documentId);
  const finished = await prepared<{ id: string }>(trx, FINISHED_SQL, { ids });
  if (finished.length === 0) return payment;
  const documents = await lockDocuments(
    trx,
    finished.map(({ id }) => id),
  );
  const isFree = ({ documentId }: LinkRow) => documents.has(documentId);
  const freed = advances.filter(isFree);
  const off = (links: readonly LinkRow[]) => sum(links.map(({ amount }) => amount)).times(-1);
  const next: PaymentRow = {
    ...payment,
    appliedTotal: decimal(payment.appliedTotal).plus(off(freed)).toFixed(),
    version: payment.version + 1,
    updatedAt: ctx.now.toISOString(),
    links: payment.links.filter((link) => !isFree(link)),
  };
  await writePayments(trx, ctx, {
    changed: [{ before: payment, next }],
    links: [],
    unlinked: freed.map(({ id }) => id),
    documents: settledBy(freed.map(reversed), documents),
    periods: [],
    events: [],
  });
  return next;
}
