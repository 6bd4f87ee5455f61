/** Turns advances on orders and delivery notes into payments of the invoice that is based on them, when it is posted. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { prepared } from '../../../db/sql.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { paymentDirection } from '../../../domain/trade/payments/types.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { lockDocuments } from '../documents/read.ts';
import type { DocumentRow, LoadedDocument } from '../documents/stored.ts';
import { CompanyValues } from './company-values.ts';
import { PaymentAccounts } from './entry.ts';
import { applicationPeriod, loadFacts, type PaymentFacts } from './facts.ts';
import { newLink } from './link-amounts.ts';
import { type LinkRow, loadPayments, lockPayments, type PaymentRow, reversed } from './payment.ts';
import { addPayments, addSettled, type PaidDocument, settledBy } from './write.ts';

/** Payments with an advance on what the invoice is based on: its notes and orders, and the orders of its notes. */
const ADVANCES_SQL = `with bases as (
    select distinct base_id as id from document_lines where document_id = :id::uuid and base_id is not null
  ), behind as (
    select id from bases union select l.base_id from document_lines l join bases on l.document_id = bases.id where l.base_id is not null
  )
  select a.payment_id as "paymentId", a.document_id as "documentId" from payment_applications a where a.document_id in (select id
    from behind)`;

/** The links of one payment that move to the invoice. */
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
 * Moves advances to an invoice that is being posted, up to its outstanding amount.
 * @param invoice as the caller posts it; it was a draft that no payment knew
 * @param entry its own, which the caller writes as well
 * @returns its head after that
 */
export async function addAdvances(
  trx: Db,
  changes: Changes,
  invoice: LoadedDocument,
  entry: EntryToWrite,
): Promise<DocumentRow> {
  const found = await prepared<{ paymentId: string; documentId: string }>(trx, ADVANCES_SQL, { id: invoice.row.id });
  if (found.length === 0) return invoice.row;
  // Payments first, then documents, in the common lock order.
  const ids = [...new Set(found.map(({ paymentId }) => paymentId))];
  await lockPayments(trx, ids);
  const bases = await lockDocuments(trx, [...new Set(found.map(({ documentId }) => documentId))]);
  const payments = await loadPayments(trx, ids);
  const moves = advanceMoves(payments, invoice, bases, await loadFacts(trx, changes.ctx));
  if (moves.length === 0) return invoice.row;
  await addMoves(trx, changes, { moves, invoice, bases, entry });
  const moved = moves.flatMap((move) => move.moved);
  const [{ settled, companySettled }] = settledBy(moved, new Map([[invoice.row.id, invoice]])) as [PaidDocument];
  return addSettled(changes, invoice, settled, { companySettled });
}

/** Moves the advances of each payment to the invoice while anything is outstanding. */
function advanceMoves(
  payments: readonly PaymentRow[],
  invoice: LoadedDocument,
  bases: ReadonlyMap<string, LoadedDocument>,
  facts: PaymentFacts,
): Move[] {
  let paid = decimal(invoice.row.paidTotal);
  const values = new CompanyValues(new Map([[invoice.row.id, invoice]]));
  const moves = payments.map((payment): Move => {
    const on = applicationPeriod(facts, [payment.date, invoice.row.date]);
    const parts = payment.links.map((link) => {
      const left = decimal(invoice.row.total).minus(paid);
      if (!bases.has(link.documentId) || left.lte(0) || decimal(link.amount).lte(0)) return { kept: link };
      const amount = left.lt(link.amount) ? left : decimal(link.amount);
      const part = newLink(invoice, {
        amount: amount.toFixed(),
        date: on.date,
        settledBefore: paid.toFixed(),
        matchedBy: link.matchedBy,
        originDocumentId: link.documentId,
      });
      paid = paid.plus(amount);
      const rest = decimal(link.amount).minus(amount).toFixed();
      const [moved = part] = values.value({ ...payment, ...worth(link), links: [] }, [part]);
      const kept =
        rest === '0' ? undefined : { ...link, id: newId(), amount: rest, settled: rest, ...companyRest(link, moved) };
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
  return moves.filter(({ moved }) => moved.length > 0);
}

/** A link as the payment that its parts are valued by: the last part takes the rest of its value. */
function worth({ amount, companyAmount }: LinkRow): Pick<PaymentRow, 'amount' | 'companyAmount'> {
  return { amount, companyAmount };
}

/** The value of what stays of an advance, in the company's currency. */
function companyRest(link: LinkRow, moved: LinkRow): Pick<LinkRow, 'companyAmount' | 'companySettled'> {
  if (link.companyAmount === null) return { companyAmount: null, companySettled: null };
  const rest = decimal(link.companyAmount)
    .minus(moved.companyAmount ?? '0')
    .toFixed();
  return { companyAmount: rest, companySettled: rest };
}

/** Adds the changes to payments and bases, and the entries. */
async function addMoves(
  trx: Db,
  changes: Changes,
  {
    moves,
    invoice,
    bases,
    entry,
  }: {
    readonly moves: readonly Move[];
    readonly invoice: LoadedDocument;
    readonly bases: ReadonlyMap<string, LoadedDocument>;
    readonly entry: EntryToWrite;
  },
): Promise<void> {
  const accounts = await PaymentAccounts.ofNew(trx, paymentDirection(invoice.row.docType), entry);
  const documents = new Map([...bases, [invoice.row.id, invoice]]);
  const taken = moves
    .flatMap(({ moved }) => moved)
    .map((link) => {
      const { amount: settled, companyAmount: companySettled, originDocumentId } = link;
      return reversed({ ...link, documentId: originDocumentId ?? '', settled, companySettled });
    });
  const updatedAt = changes.ctx.now.toISOString();
  addPayments(changes, {
    changed: moves.map(({ payment, links }) => {
      return { before: payment, next: { ...payment, links, version: payment.version + 1, updatedAt } };
    }),
    unlinked: moves.flatMap(({ removed }) => removed.map(({ id }) => id)),
    links: moves.flatMap(({ payment, added }) => added.map((link) => ({ ...link, paymentId: payment.id }))),
    documents: settledBy(taken, bases),
    periods: moves.map(({ periodId }) => periodId),
    events: [],
    entries: moves.flatMap(({ payment, moved, date, periodId }) => {
      const credit = sum(moved.map(({ amount }) => amount))
        .neg()
        .toFixed();
      return accounts.paymentEntry(payment, moved, documents, { money: '0', credit, date, periodId }) ?? [];
    }),
  });
}
