/**
 * Gives a customer a full invoice in exchange for a simplified one (RD 1619/2012, art. 15.6; F3 of Veri*factu). The sale stays as it is,
 * with its entry, goods and payments, so that nothing counts twice; the paper and what is reported are those of the full invoice.
 */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { PostalAddress } from '../../../db/models/trade/documents.ts';
import { FullInvoice, type Recipient } from '../../../db/models/trade/full-invoices.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { documentEvent } from '../documents/events.ts';
import { lockDocuments, readDocument } from '../documents/read.ts';
import { ADDRESS_JSON } from '../documents/resolve/references-sql.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { loadPaperData } from '../pdf/paper-data.ts';
import { buildInvoiceEntry, loadInvoiceBook } from './invoice-entry.ts';
import { addRegistration, loadIssueFacts } from './verifactu.ts';

export interface FullInvoiceInput {
  /** To whom it is issued; may be another than the partner of the sale, such as one for all who pay cash. */
  readonly partnerId: string;
  /** Defaults to that of the simplified invoice. */
  readonly seriesId?: string | undefined;
  /** Defaults to today. */
  readonly date?: string | undefined;
  /** Defaults to the partner's. */
  readonly billingAddress?: PostalAddress | undefined;
}

interface Found {
  readonly today: string;
  readonly type: string | null;
  readonly recipient: (Recipient & { readonly id: string }) | null;
  readonly address: PostalAddress | null;
  readonly series: { readonly docType: string; readonly rectifying: boolean } | null;
}

const FOUND_SQL = `
  select ${TODAY} as today,
    (select record->>'type' from verifactu_records where document_id = :documentId::uuid and kind = 'registration'
     order by seq limit 1) as type,
    (select json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'nif', p.nif, 'language', p.language, 'email', p.email,
      'phone', p.phone) from partners p where p.id = :partnerId::uuid) as recipient,
    (select ${ADDRESS_JSON} from partner_addresses a
      where a.partner_id = :partnerId::uuid and a.type = 'B' order by a.is_default desc, a.id limit 1) as address,
    (select json_build_object('docType', s.doc_type, 'rectifying', s.rectifying) from series s where s.id = :seriesId::uuid) as series`;

/**
 * Issues the full invoice.
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition (no simplified invoice, rectified, or exchanged before);
 * validation_failed naming what a full invoice lacks
 */
export async function issueFullInvoice(
  trx: Db,
  ctx: Context,
  documentId: string,
  { ifMatch, ...input }: FullInvoiceInput & { readonly ifMatch: number | null },
): Promise<DocumentAnswer> {
  const document = (await lockDocuments(trx, [documentId])).get(documentId);
  if (document?.row.docType !== 'SINV') throw notFound('The document');
  assertVersion(document.row, ifMatch);
  assertExchangeable(document);
  const seriesId = input.seriesId ?? document.row.seriesId;
  const bindings = { documentId, partnerId: input.partnerId, seriesId, now: ctx.now.toISOString() };
  const [found] = (await query<Found>(trx, FOUND_SQL, bindings)) as [Found];
  await assertSimplified(trx, document, found.type);
  const date = input.date ?? found.today;
  check(found, document, date);
  const { id: partnerId, ...recipient } = found.recipient as NonNullable<Found['recipient']>;
  const billingAddress = input.billingAddress ?? found.address;
  const changes = new Changes(ctx);
  const { pending } = changes.takeNumber({ seriesId });
  changes.create(FullInvoice, {
    ...{ documentId, partnerId, seriesId, date, billingAddress, recipient },
    ...pending,
    createdAt: ctx.now.toISOString(),
  });
  const issue = await loadIssueFacts(trx, ctx, document.row, { partnerId, seriesId, date, billingAddress });
  if (issue !== null) {
    const book = await loadInvoiceBook(trx, document);
    addRegistration(changes, issue, document, (part) => buildInvoiceEntry(book, part));
  }
  const event = documentEvent('document.updated', document.row, { fields: ['fullInvoice'] });
  changeDocument(changes, document, { ...document, row: changedRow(ctx, document.row, {}) }, event);
  await changes.write(trx);
  return await readDocument(trx, documentId);
}

function assertExchangeable({ row, full, takenBackBy, record }: LoadedDocument): void {
  const refuse = (why: string) =>
    new ServiceError(
      'invalid_transition',
      `No full invoice can be given for ${row.code ?? 'the draft'} because ${why}`,
    );
  if (row.status === DOCUMENT_STATUS.draft) throw refuse('it is not posted; give the customer a tax id instead');
  if (row.status === DOCUMENT_STATUS.cancelled) throw refuse('it is cancelled');
  if (row.rectifying) throw refuse('it takes back from another');
  if (full !== null) throw refuse(`${full.code} was given for it already`);
  const [rectifying] = takenBackBy;
  if (rectifying !== undefined) throw refuse(`${rectifying.code ?? 'a draft'} rectifies it`);
  if (record?.status === 'rejected')
    throw refuse('the tax agency has refused its record: POST /api/verifactu/records/:id/correct comes first');
}

/** Whether it names no recipient by a tax id: its record says so, or else its paper. */
async function assertSimplified(trx: Db, { row }: LoadedDocument, type: string | null): Promise<void> {
  const isSimplified = type === null ? !(await loadPaperData(trx, row.id)).row.partner.nif : type === 'F2';
  if (isSimplified) return;
  const message = `No full invoice can be given for ${row.code} because it is one already; it can be rectified`;
  throw new ServiceError('invalid_transition', message);
}

function check({ today, recipient, series }: Found, { row }: LoadedDocument, date: string): void {
  const faults = new Faults();
  if (recipient === null) faults.add('/partnerId', 'invalid_reference', 'refers to a partner that does not exist');
  else if (!recipient.nif)
    faults.add('/partnerId', 'required', 'must have a tax id, without which no invoice is a full one');
  if (series === null) faults.add('/seriesId', 'invalid_reference', 'refers to a series that does not exist');
  else if (series.docType !== 'SINV' || series.rectifying)
    faults.add('/seriesId', 'wrong_type', 'must refer to a series of sales invoices that do not rectify');
  if (date < row.date)
    faults.add('/date', 'out_of_range', `must not be before ${row.date}, the date of the simplified invoice`);
  if (date > today) faults.add('/date', 'out_of_range', `must not be after today, ${today}`);
  faults.throwIfAny();
}
