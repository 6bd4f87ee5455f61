/** Changes a registered payment: its reference, notes and applications. Its money stays as it is. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { assertVersion } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { sum } from '../../../domain/money.ts';
import { debtName, type PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { loadFacts, openPeriod } from './facts.ts';
import { type LinkChanges, linkChanges } from './link-changes.ts';
import { type LinkRow, lockPayments, onlyPayment, outcomeMembers, type PaymentRow, paymentAnswer } from './payment.ts';
import { type Relinked, relink } from './relink.ts';
import type { PaymentChange } from './schemas.ts';
import { writePayments } from './write.ts';

export interface ChangedPayment {
  readonly payment: PaymentRow;
  /** The removed applications, with the payment status of the documents before and after. */
  readonly unlinked: readonly LinkRow[];
}

/**
 * Changes a payment. What is no longer applied becomes credit of the partner again; the dates on which it was entered must be open.
 * @throws ServiceError not_found, stale_version, validation_failed with a pointer for each fault, period_closed
 */
export async function changePayment(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  id: string,
  input: PaymentChange,
  ifMatch: number | null,
): Promise<ChangedPayment> {
  const payment = onlyPayment(await lockPayments(trx, [id]), direction);
  assertVersion(payment, ifMatch);
  const { linked_documents: linked } = input;
  if (linked !== undefined && (payment.returns ?? payment.returnedBy) !== null)
    throw new ServiceError(
      'invalid_transition',
      'Its applications cannot be changed because it came back, or is a return',
    );
  const changes = linked === undefined ? NO_CHANGES : linkChanges(payment.links, linked ?? [], payment.places);
  const { reference = payment.reference, notes = payment.notes } = input;
  const relinks = changes.named.length > 0 || changes.removed.length > 0;
  const rewords = reference !== payment.reference || notes !== payment.notes;
  if (!relinks && !rewords) return { payment, unlinked: [] };

  const facts = await loadFacts(trx, ctx);
  const periods = rewords ? [openPeriod(facts, payment.date, '/payment_date').id] : [];
  const done = relinks ? await relink(trx, direction, payment, changes, facts) : NOTHING;
  const links = linked === undefined ? payment.links : inOrder(payment.links, [...changes.kept, ...done.links]);
  const next: PaymentRow = {
    ...payment,
    reference,
    notes,
    // What came back is spent without applications, and so is its return.
    appliedTotal: relinks ? sum(links.map(({ amount }) => amount)).toFixed() : payment.appliedTotal,
    ...(relinks ? outcomeMembers(null) : {}),
    version: payment.version + 1,
    updatedAt: ctx.now.toISOString(),
    links,
  };
  const isNew = ({ id: linkId }: LinkRow) => !payment.links.some((link) => link.id === linkId);
  await writePayments(trx, ctx, {
    changed: [{ before: payment, next }],
    links: done.links.filter(isNew).map((link) => ({ ...link, paymentId: payment.id })),
    relinked: done.links.filter((link) => !isNew(link)),
    unlinked: done.unlinked.map((link) => link.id),
    documents: done.documents,
    periods: [...periods, ...done.periods],
    events: [],
    entries: done.entries,
  });
  return { payment: next, unlinked: done.unlinked };
}

/** The payment as clients see it, with the removed applications. */
export function changedToJson({ payment, unlinked }: ChangedPayment) {
  const data = paymentAnswer(payment);
  if (unlinked.length === 0) return data;
  const unlinked_documents = unlinked.map((link) => ({
    document_type: debtName(link.docType),
    document_id: link.documentId,
    document_code: link.documentCode,
    previous_status: link.previousStatus,
    new_status: link.newStatus,
  }));
  return { ...data, unlinked_documents };
}

const NO_CHANGES: LinkChanges = { named: [], kept: [], removed: [] };
const NOTHING: Relinked = { links: [], unlinked: [], documents: [], periods: [], entries: [] };

/** Existing ones keep their order; new ones follow. */
function inOrder(before: readonly LinkRow[], after: readonly LinkRow[]): LinkRow[] {
  const place = ({ id }: LinkRow) => before.findIndex((link) => link.id === id);
  const known = after.filter((link) => place(link) >= 0).sort((one, other) => place(one) - place(other));
  return [...known, ...after.filter((link) => place(link) < 0)];
}
