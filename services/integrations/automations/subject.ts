/** Loads the data that conditions and templates of rules see. */
import type { Reader } from '../../../db/database.ts';
import { Item, Partner } from '../../../db/models/records/master-data.ts';
import { Price } from '../../../db/models/records/prices.ts';
import { Payment } from '../../../db/models/trade/payments.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { OPEN_ITEM, type PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { spacedWords } from '../../../domain/words.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { items } from '../../records/master-data/items.ts';
import { partners } from '../../records/master-data/partners.ts';
import { prices } from '../../records/master-data/prices.ts';
import type { ResourceDeclaration } from '../../records/resources/declaration.ts';
import { readOne } from '../../records/resources/find.ts';
import { readDocument } from '../../trade/documents/read.ts';
import type { DocumentAnswer } from '../../trade/documents/to-json.ts';
import { loadPayments, paymentToJson } from '../../trade/payments/payment.ts';
import { documentAfter, valueAfter } from './as-of.ts';
import type { RecordResource } from './records/resources.ts';

/** An event and the records that it concerns. */
export interface Happening {
  readonly documentId: string | null;
  readonly paymentId: string | null;
  readonly partnerId?: string | null;
  readonly itemId?: string | null;
  readonly priceId?: string | null;
  /** A line of the document, for rules that run once for each. */
  readonly lineId?: string | null;
  /** In the form that webhooks get: event, timestamp, changed_fields, previous_status … */
  readonly event: Readonly<Record<string, unknown>>;
}

/** Members of the data; absent if the event concerns other records. */
export interface Subject {
  readonly document?: Readonly<Record<string, unknown>>;
  /** The line of the document that a rule for each line runs for. */
  readonly line?: Readonly<Record<string, unknown>>;
  /** The document in the form of its GET. */
  readonly json_document?: Readonly<Record<string, unknown>>;
  readonly payment?: Readonly<Record<string, unknown>>;
  readonly partner?: Readonly<Record<string, unknown>>;
  readonly item?: Readonly<Record<string, unknown>>;
  /** A price of a price list, with its item as `item`. */
  readonly price?: Readonly<Record<string, unknown>>;
  readonly company: Readonly<Record<string, unknown>>;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The permissions to read the records in the data, which whoever the rule acts for must have. */
export function neededToSee({ document, payment, partner, item, price }: Subject): Permission[] {
  const whole = document ?? payment ?? partner;
  return [
    ...(document === undefined ? [] : [`${DOCUMENT_TYPES[document.docType as DocType].resource}:read` as const]),
    ...(payment === undefined ? [] : [`payments_${payment.direction as PaymentDirection}:read` as const]),
    ...(whole === undefined ? [] : [Partner.access]),
    ...(item === undefined ? [] : [Item.access]),
    ...(price === undefined ? [] : [Price.access]),
  ];
}

/** Builds the happening of a scheduled rule. @param record null if it acts on no records */
export function scheduledHappening(
  due: string,
  record: { readonly subject: RecordResource['subject']; readonly id: string } | null,
): Required<Happening> {
  const idFor = (subject: RecordResource['subject']) => (record?.subject === subject ? record.id : null);
  return {
    documentId: idFor('document'),
    paymentId: idFor('payment'),
    partnerId: idFor('partner'),
    itemId: idFor('item'),
    priceId: null,
    lineId: null,
    event: { name: 'schedule.cron', scheduled_at: due },
  };
}

/**
 * Loads the data; for a payment, with the first document that it pays.
 * @param asOf id of the event that left the records as they are wanted; null for their present state
 * @throws ServiceError not_found for an unknown document
 */
export async function loadSubject(
  reader: Reader,
  happening: Happening,
  { asOf }: { readonly asOf: string | null } = { asOf: null },
): Promise<Subject> {
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
      : {
          payment: await withPartner(
            reader,
            {
              ...paymentToJson(payment),
              ...(asOf === null ? {} : await valueAfter(reader, { type: Payment.entityType, id: payment.id }, asOf)),
              direction: payment.direction,
            },
            payment,
          ),
        };
  if (documentId === null) return { company, event, ...paid, ...(await loadRecord(reader, happening, asOf)) };
  const present = await readDocument(reader, documentId);
  const answered = asOf === null ? present : await documentAfter(reader, present, asOf);
  const documentType = DOCUMENT_TYPES[answered.docType].name;
  const document = await withPartner(reader, { ...answered, documentType }, answered);
  const line = lineIn(answered, happening.lineId ?? null);
  return { company, event, document, json_document: answered, ...line, ...paid };
}

/** @throws ServiceError not_found for a line that the document no longer has */
function lineIn({ lines }: DocumentAnswer, lineId: string | null): Pick<Subject, 'line'> {
  if (lineId === null) return {};
  const line = lines.find(({ id }) => id === lineId);
  if (line === undefined) throw notFound('This line');
  return { line };
}

/** The data for each line of the document in `subject`. */
export function subjectsByLine(subject: Subject): (Subject & { readonly line: { readonly id: string } })[] {
  const { lines = [] } = (subject.document ?? {}) as { readonly lines?: readonly { readonly id: string }[] };
  return lines.map((line) => ({ ...subject, line }));
}

/** Loads the master data that a rule is about, as the event left it. */
async function loadRecord(
  reader: Reader,
  { partnerId, itemId, priceId }: Happening,
  asOf: string | null,
): Promise<Pick<Subject, 'partner' | 'item' | 'price'>> {
  if (partnerId != null) return { partner: await loadWhole(reader, partners, partnerId, asOf) };
  if (itemId == null) return {};
  if (priceId == null) return { item: await loadWhole(reader, items, itemId, asOf) };
  const [price, item] = await Promise.all([
    loadWhole(reader, prices, priceId, asOf),
    loadWhole(reader, items, itemId, null),
  ]);
  return { price, item };
}

/** Loads a record in the form of its GET. @throws ServiceError not_found */
async function loadWhole(reader: Reader, { name, model }: ResourceDeclaration, id: string, asOf: string | null) {
  const [row, before] = await Promise.all([
    findRow(reader, model, { id }),
    asOf === null ? null : valueAfter(reader, { type: model.entityType, id }, asOf),
  ]);
  if (row === undefined) throw notFound(`This ${spacedWords(name)}`);
  return { ...model.toJson({ ...row }), ...before };
}

/** Adds the whole partner, in the form of its GET. */
async function withPartner<Data extends object>(
  reader: Reader,
  data: Data,
  { partner }: { readonly partner: { readonly id: string } },
) {
  const row = await readOne(reader, partners, partners.model, { id: partner.id });
  return { ...data, partner: row === undefined ? partner : partners.model.toJson(row) };
}
