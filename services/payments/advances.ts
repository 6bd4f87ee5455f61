/** Turns advances on orders and delivery notes into payments of the invoice that is based on them, when it is posted. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { prepared } from '../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../domain/money.ts';
import type { PaymentDirection } from '../../domain/payments/types.ts';
import { lockDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { PaymentAccounts } from './entry.ts';
import { applicationPeriod, loadFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { type LinkRow, lockPayments, type PaymentRow } from './payment.ts';
import { writePayments } from './write.ts';

/** Payments with an advance on what the invoice is based on: its notes and orders, and the orders of its notes. */
const ADVANCES_SQL = `with bases as (
    select distinct base_id as id from document_lines where document_id = :id::uuid and base_id is not null
  ), behind as (
    select id from bases union select l.base_id from document_lines l join bases on l.document_id = bases.id where l.base_id is not null
  )
  select a.payment_id as "paymentId", a.document_id as "documentId" from payment_applications a where a.document_id in (select id from behind)`;

/** What moves from one payment. */
interface Move {
  readonly payment: PaymentRow;
  /** The payment's links afterwards. */
  readonly links: readonly LinkRow[];
  readonly removed: readonly LinkRow[];
  readonly added: readonly LinkRow[];
  readonly moved: readonly LinkRow[];
  readonly date: string;
  readonly periodId: string;
}

/**
 * Moves advances to an invoice just posted in this transaction, up to its outstanding amount.
 * @returns whether there was any
 */
export async function moveAdvances(
  trx: Db,
  ctx: Context,
  invoiceId: string,
  direction: PaymentDirection,
): Promise<boolean> {
  const found = await prepared<{ paymentId: string; documentId: string }>(trx, ADVANCES_SQL, { id: invoiceId });
  if (found.length === 0) return false;
  // Payments first, then documents, in the common lock order; no payment knew the invoice while it was a draft.
  await lockPayments(trx, [...new Set(found.map(({ paymentId }) => paymentId))]);
  const bases = new Set(found.map(({ documentId }) => documentId));
  const documents = await lockDocuments(trx, [invoiceId, ...bases]);
  const payments = await lockPayments(trx, [...new Set(found.map(({ paymentId }) => paymentId))]);
  const invoice = documents.get(invoiceId);
  if (invoice === undefined) throw new Error('the invoice has just been posted');
  const facts = await loadFacts(trx, ctx);
  let paid = decimal(invoice.row.paidTotal);
  const moves = payments.map((payment): Move => {
    const on = applicationPeriod(facts, [payment.date, invoice.row.date]);
    const parts = payment.links.map((link) => {
      const left = decimal(invoice.row.total).minus(paid);
      if (!bases.has(link.documentId) || left.lte(0) || decimal(link.amount).lte(0)) return { kept: link };
      const amount = left.lt(link.amount) ? left : decimal(link.amount);
      const moved = newLink(invoice, {
        amount: amount.toFixed(),
        date: on.date,
        settledBefore: paid.toFixed(),
        matchedBy: link.matchedBy,
        originDocumentId: link.documentId,
      });
      paid = paid.plus(amount);
      const rest = decimal(link.amount).minus(amount).toFixed();
      const kept = rest === '0' ? undefined : { ...link, id: newId(), amount: rest, settled: rest };
      return { removed: link, kept, moved };
    });
    const moved = parts.flatMap((part) => part.moved ?? []);
    return {
      payment,
      links: [...parts.flatMap((part) => part.kept ?? []), ...moved],
      removed: parts.flatMap((part) => part.removed ?? []),
      added: [
        ...parts.flatMap((part) => (part.moved !== undefined && part.kept !== undefined ? [part.kept] : [])),
        ...moved,
      ],
      moved,
      ...on,
    };
  });
  await write(
    trx,
    ctx,
    direction,
    invoice,
    documents,
    moves.filter(({ moved }) => moved.length > 0),
  );
  return true;
}

async function write(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  invoice: LoadedDocument,
  documents: ReadonlyMap<string, LoadedDocument>,
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const settled = new Map<string, Decimal>();
  const add = (id: string, amount: Decimal) => settled.set(id, sum([settled.get(id) ?? '0', amount]).toFixed());
  for (const link of moves.flatMap(({ moved }) => moved)) {
    add(invoice.row.id, link.amount);
    add(link.originDocumentId ?? '', decimal(link.amount).times(-1).toFixed());
  }
  const accounts = await PaymentAccounts.load(trx, direction, [invoice.row.id]);
  const entries = moves.flatMap(({ payment, moved, date, periodId }) => {
    const credit = sum(moved.map((link) => link.amount))
      .times(-1)
      .toFixed();
    return accounts.entryOf(payment, moved, documents, { money: '0', credit, date, periodId }) ?? [];
  });
  await writePayments(trx, ctx, {
    changed: moves.map(({ payment, links }) => {
      const next = { ...payment, links, version: payment.version + 1, updatedAt: ctx.now.toISOString() };
      return { before: payment, next };
    }),
    unlinked: moves.flatMap(({ removed }) => removed.map(({ id }) => id)),
    links: moves.flatMap(({ payment, added }) => added.map((link) => ({ ...link, paymentId: payment.id }))),
    documents: [...settled].flatMap(([id, amount]) => {
      const document = documents.get(id);
      return document === undefined ? [] : [{ document, settled: amount }];
    }),
    periods: moves.map(({ periodId }) => periodId),
    events: [],
    entries,
  });
}
