/** Lets notes be invoiced again once their invoice is credited in full, and takes that back (decision 0260). */
import type { Changes } from '../../../../db/changes/changes.ts';
import type { Db } from '../../../../db/database.ts';
import { ConcurrentChange } from '../../../../db/errors.ts';
import { lockName } from '../../../../db/locks.ts';
import { STATE } from '../../../../db/queries/document-states.ts';
import { query } from '../../../../db/sql.ts';
import { markDocuments } from '../../documents/marks.ts';
import { loadDocument } from '../../documents/read.ts';
import type { DocumentRow, LoadedDocument } from '../../documents/stored.ts';
import { takeFromBases } from './take-from-bases.ts';
import { documentTakes } from './takes.ts';

/**
 * The invoice `:invoice` of notes, if it is credited in full once the draft `:credit` is posted: to the last piece at its price, by posted
 * rectifications that do nothing else and of which none took goods back.
 */
const CREDITED_SQL = `
  select d.id from documents d
  where d.id = :invoice::uuid and not d.notes_released
    and exists (select from document_lines l where l.document_id = d.id and l.base_type in ('SDN', 'PDN'))
    and not exists (select from document_lines l where l.document_id = d.id and l.returned_quantity < l.quantity)
    and not exists (select from documents c where c.rectifies = d.id and c.status <> ${STATE.cancelled} and c.id <> :credit::uuid
      and (c.return_stock or c.status = ${STATE.draft}))
    and not exists (select from documents c join document_lines t on t.document_id = c.id
      left join document_lines l on l.id = t.base_line_id
      where c.rectifies = d.id and c.status <> ${STATE.cancelled}
        and (t.price, t.discount_percent, t.second_discount_percent)
          is distinct from (l.price, l.discount_percent, l.second_discount_percent))`;

type Credit = Pick<DocumentRow, 'id' | 'rectifies' | 'returnStock'>;

/**
 * Whether a rectifying draft, once posted, credits the rest of an invoice of notes, without taking goods back. The rectifications of an
 * invoice are posted one after the other, so that the last one sees the others.
 */
export async function releasesNotes(trx: Db, { id, rectifies, returnStock }: Credit): Promise<boolean> {
  if (rectifies === null || returnStock) return false;
  await lockRectifications(trx, rectifies);
  return await isCredited(trx, { id, rectifies });
}

async function isCredited(trx: Db, { id, rectifies }: Pick<DocumentRow, 'id' | 'rectifies'>): Promise<boolean> {
  return (await query(trx, CREDITED_SQL, { invoice: rectifies, credit: id })).length > 0;
}

/**
 * Gives the quantities of a credited invoice back to its notes.
 * @param credit for which `releasesNotes` holds
 * @returns the invoice
 * @throws ConcurrentChange if that does not hold any more
 */
export async function releaseNotes(trx: Db, changes: Changes, credit: DocumentRow): Promise<LoadedDocument> {
  const invoice = await lockInvoice(trx, String(credit.rectifies));
  if (!(await isCredited(trx, credit))) throw new ConcurrentChange();
  await takeFromBases(trx, changes, { step: 'invoice', takes: noteTakes(invoice, true), allowOver: true });
  await setReleased(trx, invoice, true);
  return invoice;
}

/**
 * Takes the quantities of the notes again, since a rectification of their invoice is being cancelled.
 * @returns the invoice; null if its notes were not released
 * @throws ServiceError over_invoicing if they have been invoiced otherwise; invalid_transition if one was cancelled
 */
export async function takeReleasedNotes(
  trx: Db,
  changes: Changes,
  { row, lines }: LoadedDocument,
): Promise<LoadedDocument | null> {
  if (row.rectifies === null || lines.every(({ baseLineId }) => baseLineId === null)) return null;
  const invoice = await lockInvoice(trx, row.rectifies);
  if (!invoice.row.notesReleased) return null;
  await takeFromBases(trx, changes, { step: 'invoice', takes: noteTakes(invoice, false), allowOver: false });
  await setReleased(trx, invoice, false);
  return invoice;
}

/** Makes others who post or cancel a rectification of the invoice wait. @throws LockHeld if one does */
export async function lockRectifications(trx: Db, invoiceId: string): Promise<void> {
  await lockName(trx, `rectifications:${invoiceId}`);
}

/** Locks an invoice and the documents that it is based on, in the order of their ids, as those who take from them do. */
async function lockInvoice(trx: Db, id: string): Promise<LoadedDocument> {
  await query(
    trx,
    `select id from documents
     where id = :id::uuid or id = any(array(select base_id from document_lines where document_id = :id::uuid))
     order by id for update`,
    { id },
  );
  return await loadDocument(trx, id);
}

function noteTakes({ lines }: LoadedDocument, undo: boolean) {
  return documentTakes(
    lines.filter(({ baseType }) => baseType === 'SDN' || baseType === 'PDN'),
    undo,
  );
}

/** Says of an invoice whether its notes are released; nobody but the service sees it, so that its version stays. */
async function setReleased(trx: Db, { row }: LoadedDocument, released: boolean): Promise<void> {
  await markDocuments(trx, [{ id: row.id, notesReleased: released }]);
}
