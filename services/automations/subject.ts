/** The data that conditions and templates of rules see. */
import type { Reader } from '../../db/database.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { OPEN_ITEM } from '../../domain/payments/types.ts';
import { readDocument } from '../documents/read.ts';
import { partners } from '../master-data/partners.ts';
import { loadPayments, paymentToJson } from '../payments/payment.ts';
import { readOne } from '../resources/find.ts';
import { loadSettings } from '../settings/settings.ts';

/** What happened to what. */
export interface Happening {
  readonly documentId: string | null;
  readonly paymentId: string | null;
  /** As webhooks get it: event, timestamp, changed_fields, previous_status … */
  readonly event: Readonly<Record<string, unknown>>;
}

/** Members of the data; absent where the event is about something else. */
export interface Subject {
  readonly document?: Readonly<Record<string, unknown>>;
  /** The document as its GET answers it. */
  readonly json_document?: Readonly<Record<string, unknown>>;
  readonly payment?: Readonly<Record<string, unknown>>;
  readonly company: Readonly<Record<string, unknown>>;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Loads it; of a payment without a document, the first document that it pays. @throws ServiceError not_found for an unknown document */
export async function loadSubject(reader: Reader, happening: Happening): Promise<Subject> {
  const { paymentId, event } = happening;
  const [{ logo: _, ...company }, [payment]] = await Promise.all([
    loadSettings(reader, 'company'),
    paymentId === null ? [] : loadPayments(reader, [paymentId]),
  ]);
  const documentId =
    happening.documentId ?? payment?.links.find(({ docType }) => docType !== OPEN_ITEM)?.documentId ?? null;
  const paid = payment === undefined ? {} : { payment: await withPartner(reader, paymentToJson(payment), payment) };
  if (documentId === null) return { company, event, ...paid };
  const answered = await readDocument(reader, documentId);
  const documentType = DOCUMENT_TYPES[answered.docType].name;
  const document = await withPartner(reader, { ...answered, documentType }, answered);
  return { company, event, document, json_document: answered, ...paid };
}

/** With the whole partner, as its GET answers it. */
async function withPartner<Data extends object>(
  reader: Reader,
  data: Data,
  { partner }: { readonly partner: { readonly id: string } },
) {
  const row = await readOne(reader, partners, { id: partner.id });
  return { ...data, partner: row === undefined ? partner : partners.model.toJson(row) };
}
