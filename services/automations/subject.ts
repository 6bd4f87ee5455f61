/** The data that conditions and templates of rules see. */
import type { Reader } from '../../db/database.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { notFound } from '../../domain/errors.ts';
import { OPEN_ITEM } from '../../domain/payments/types.ts';
import { wordsOf } from '../../domain/words.ts';
import { readDocument } from '../documents/read.ts';
import { items } from '../master-data/items.ts';
import { partners } from '../master-data/partners.ts';
import { loadPayments, paymentToJson } from '../payments/payment.ts';
import type { ResourceDeclaration } from '../resources/declaration.ts';
import { readOne } from '../resources/find.ts';
import { loadSettings } from '../settings/settings.ts';
import type { RecordResource } from './records/resources.ts';

/** What happened to what. */
export interface Happening {
  readonly documentId: string | null;
  readonly paymentId: string | null;
  /** Of a rule by the clock. */
  readonly partnerId?: string | null;
  readonly itemId?: string | null;
  /** As webhooks get it: event, timestamp, changed_fields, previous_status … */
  readonly event: Readonly<Record<string, unknown>>;
}

/** Members of the data; absent where the event is about something else. */
export interface Subject {
  readonly document?: Readonly<Record<string, unknown>>;
  /** The document as its GET answers it. */
  readonly json_document?: Readonly<Record<string, unknown>>;
  readonly payment?: Readonly<Record<string, unknown>>;
  /** Records of a rule by the clock. */
  readonly partner?: Readonly<Record<string, unknown>>;
  readonly item?: Readonly<Record<string, unknown>>;
  readonly company: Readonly<Record<string, unknown>>;
  readonly event: Readonly<Record<string, unknown>>;
}

/** What a rule by the clock is about. @param record null where it is about none */
export function atTheTime(
  due: string,
  record: { readonly subject: RecordResource['subject']; readonly id: string } | null,
): Required<Happening> {
  const idOf = (subject: RecordResource['subject']) => (record?.subject === subject ? record.id : null);
  return {
    documentId: idOf('document'),
    paymentId: idOf('payment'),
    partnerId: idOf('partner'),
    itemId: idOf('item'),
    event: { name: 'schedule.cron', scheduled_at: due },
  };
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
  const paid =
    payment === undefined
      ? {}
      : { payment: await withPartner(reader, { ...paymentToJson(payment), direction: payment.direction }, payment) };
  if (documentId === null) return { company, event, ...paid, ...(await recordOf(reader, happening)) };
  const answered = await readDocument(reader, documentId);
  const documentType = DOCUMENT_TYPES[answered.docType].name;
  const document = await withPartner(reader, { ...answered, documentType }, answered);
  return { company, event, document, json_document: answered, ...paid };
}

/** The partner or item that a rule by the clock is about. */
async function recordOf(reader: Reader, { partnerId, itemId }: Happening): Promise<Pick<Subject, 'partner' | 'item'>> {
  if (partnerId != null) return { partner: await wholeOf(reader, partners, partnerId) };
  return itemId == null ? {} : { item: await wholeOf(reader, items, itemId) };
}

/** A record as its GET answers it. @throws ServiceError not_found */
async function wholeOf(reader: Reader, declaration: ResourceDeclaration, id: string) {
  const row = await readOne(reader, declaration, declaration.model, { id });
  if (row === undefined) throw notFound(`This ${wordsOf(declaration.name)}`);
  return declaration.model.toJson(row);
}

/** With the whole partner, as its GET answers it. */
async function withPartner<Data extends object>(
  reader: Reader,
  data: Data,
  { partner }: { readonly partner: { readonly id: string } },
) {
  const row = await readOne(reader, partners, partners.model, { id: partner.id });
  return { ...data, partner: row === undefined ? partner : partners.model.toJson(row) };
}
