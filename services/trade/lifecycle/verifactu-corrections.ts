/** Mends records that the tax agency has refused, or wants corrected: each time with a record of its own, at the end of the chain. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { annulmentFlags, correctionFlags, type PastRecord } from '../../../domain/ledger/verifactu/corrections.ts';
import { registrationFaults } from '../../../domain/ledger/verifactu/faults.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { addRecord, type RecordToAdd } from '../../ledger/verifactu/add-record.ts';
import { readLastRecord } from '../../ledger/verifactu/read-records.ts';
import { loadDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { buildInvoiceEntry, loadInvoiceBook } from './invoice-entry.ts';
import { invoiceRecord, loadIssueFacts, loadPastRecords } from './verifactu.ts';

/**
 * Adds a registration with what the invoice and its partner say now, in place of an earlier one (Subsanación).
 * @returns the new record
 * @throws ServiceError not_found; invalid_transition (no answer yet, a later record, or a cancelled invoice); validation_failed
 */
export async function correctRecord(trx: Db, ctx: Context, recordId: string) {
  const { document, past } = await loadMended(trx, recordId);
  if (document.row.status === DOCUMENT_STATUS.cancelled)
    throw refusal('it is of a cancelled invoice: POST /api/verifactu/records/:id/annul');
  const facts = await loadIssueFacts(trx, ctx, document.row);
  if (facts === null) throw refusal('Veri*factu is turned off');
  const book = await loadInvoiceBook(trx, document);
  const issued = invoiceRecord(
    { ...facts, nextNumber: document.full?.code ?? document.row.code ?? '' },
    document,
    (part) => buildInvoiceEntry(book, part),
  );
  const record = { ...issued, ...correctionFlags(past) };
  // The invoice is out already, with the addresses that it has.
  const faults = registrationFaults(record, { ...facts, hasCompanyAddress: true, hasCustomerAddress: true });
  if (faults.length > 0) throw validationFailed(faults);
  const about = { documentId: document.row.id, issuer: facts.company.taxId };
  return await append(trx, ctx, recordId, { kind: 'registration', record, ...about });
}

/**
 * Adds an annulment anew, after one that the agency has refused.
 * @returns the new record
 * @throws ServiceError not_found; invalid_transition (no answer yet, a later record, or an invoice that is not cancelled)
 */
export async function annulRecord(trx: Db, ctx: Context, recordId: string) {
  const { document, past } = await loadMended(trx, recordId);
  if (document.row.status !== DOCUMENT_STATUS.cancelled)
    throw refusal('its invoice is not cancelled: POST /api/sales/invoices/:id/cancel');
  if (past.at(-1)?.status === 'accepted') throw refusal('the agency has accepted it');
  const { invoice } = document.record;
  const record = { invoice, ...annulmentFlags(past) };
  return await append(trx, ctx, recordId, {
    kind: 'annulment',
    record,
    documentId: document.row.id,
    issuer: invoice.issuer,
  });
}

type Recorded = LoadedDocument & { readonly record: NonNullable<LoadedDocument['record']> };

/** The invoice of a record, locked, and all of its records. */
async function loadMended(
  trx: Db,
  recordId: string,
): Promise<{ readonly document: Recorded; readonly past: readonly PastRecord[] }> {
  const [named] = await query<{ document_id: string }>(
    trx,
    `select r.document_id from verifactu_records r join documents d on d.id = r.document_id where r.id = :recordId::uuid for update of d`,
    { recordId },
  );
  if (named === undefined) throw notFound('The record');
  const document = await loadDocument(trx, named.document_id, 'SINV');
  const { record } = document;
  if (record === null) throw notFound('The record');
  if (record.id !== recordId) throw refusal('its invoice has a later one');
  if (record.status === 'queued') throw refusal('the tax agency has not answered yet');
  return { document: { ...document, record }, past: await loadPastRecords(trx, named.document_id) };
}

/** Adds a record, and says in the audit log who wanted it. @param mended the record in whose place it is */
async function append(trx: Db, ctx: Context, mended: string, record: RecordToAdd) {
  const act = record.kind === 'registration' ? 'correct' : 'annul';
  const changes = new Changes(ctx).follow(addRecord, record);
  await changes.audit({ type: 'VerifactuRecord', id: mended }, {}, { sentAnew: act }).write(trx);
  return await readLastRecord(trx, record.documentId);
}

function refusal(reason: string): ServiceError {
  return new ServiceError('invalid_transition', `The record cannot be sent anew because ${reason}`);
}
