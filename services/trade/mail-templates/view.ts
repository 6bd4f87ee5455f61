/** Names available in mail templates. */

import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { Partner } from '../../../db/models/records/master-data.ts';
import { type Formats, formatsFor, type Language } from '../../../domain/locale/formats.ts';
import {
  type DayData,
  type DecimalData,
  dayData,
  decimalData,
  type Printing,
  type View,
} from '../../../domain/messages/mail/values.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { loadPrinting } from '../../messages/mail/printing.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type CustomFieldDefinition, loadActiveFields } from '../../records/custom-fields/definitions.ts';
import { memberName, storedValue } from '../../records/custom-fields/rows.ts';
import type { DocumentRow, LineRow, LoadedDocument, TaxRow } from '../documents/stored.ts';
import { TEXTS } from '../pdf/texts/index.ts';

/** The company's part of a view, with the language and formats of the rest. */
export interface Sender {
  readonly formats: Formats;
  readonly printing: Printing;
  readonly company: Readonly<Record<'name' | 'email' | 'phone' | 'website', string | null>>;
}

/** Loads the sender of a mail. @param language of the recipient; null for the company's */
export async function loadSender(reader: Reader, language: string | null): Promise<Sender> {
  const [printing, { name, email, phone, website }] = await Promise.all([
    loadPrinting(reader, language),
    loadSettings(reader, 'company'),
  ]);
  return {
    formats: formatsFor(printing.choices, language),
    printing,
    company: { name, email: email || null, phone: phone || null, website: website || null },
  };
}

/** The names in templates of mails with documents. What a document does not have is null, and neither printed nor true. */
export interface MailNames {
  readonly document: Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly number: string | null;
    readonly date: DayData;
    readonly dueDate: DayData | null;
    readonly total: DecimalData;
    readonly reference: string | null;
  };
  readonly partner: Readonly<Record<'name' | 'code' | 'taxId' | 'email' | 'phone', string | null>>;
  readonly company: Sender['company'];
}

/** A view of a mail with a document. */
export interface MailView extends View {
  readonly names: MailNames;
}

/** The partner as mails name it. */
export type MailPartner = Pick<Partner, 'name'> & Partial<Pick<Partner, 'code' | 'nif' | 'email' | 'phone'>>;

/** A document as mails speak of it. */
export interface MailDocument {
  readonly row: DocumentRow;
  readonly lines: readonly LineRow[];
  readonly taxes: readonly TaxRow[];
  /** Active custom fields of its type. */
  readonly fields: readonly CustomFieldDefinition[];
  /** The page on which a quotation is answered; null for none. */
  readonly link: string | null;
}

/** Builds the view of a document, its partner and the company. */
export function createMailView(mailed: MailDocument, partner: MailPartner, sender: Sender): MailView {
  const { row, lines, taxes } = mailed;
  const { code, date, total, currency, reference, docType } = row;
  const money = (value: Decimal) => decimalData(value, currency);
  const day = (value: string | null) => (value === null ? null : dayData(value));
  const document = {
    ...customNames(mailed),
    title: TEXTS[sender.formats.language].titles[docType],
    number: code,
    date: dayData(date),
    dueDate: day(row.dueDate),
    documentDate: day(row.documentDate),
    operationDate: day(row.operationDate),
    validUntil: day(row.validUntil),
    deliveryDate: day(row.deliveryDate),
    reference: reference || null,
    supplierReference: row.supplierReference,
    notes: row.notes,
    currency,
    subtotal: money(row.subtotal),
    discountTotal: money(row.discountTotal),
    chargeText: row.chargeText,
    chargeTotal: money(sum(lines.map(({ documentCharge }) => documentCharge)).toFixed()),
    taxTotal: money(row.taxTotal),
    withholdingAmount: money(row.withholdingAmount),
    total: money(total),
    paidTotal: money(row.paidTotal),
    outstanding: money(decimal(total).minus(row.paidTotal).toFixed()),
    lines: lines.map((line) => ({
      number: line.lineNumber,
      description: line.description,
      quantity: decimalData(line.quantity, null),
      price: money(line.price),
      discountPercent: decimalData(line.discountPercent, null),
      secondDiscountPercent: decimalData(line.secondDiscountPercent, null),
      documentDiscount: money(line.documentDiscount),
      documentCharge: money(line.documentCharge),
      taxRate: decimalData(line.taxRate, null),
      amount: money(line.amount),
    })),
    taxes: taxes.map((tax) => ({
      code: tax.code,
      rate: decimalData(tax.rate, null),
      base: money(tax.base),
      amount: money(tax.amount),
    })),
    link: mailed.link,
  };
  const { name, nif = null, email = null, phone = null } = partner;
  const names = { name, code: partner.code ?? null, taxId: nif, email, phone };
  return { names: { document, partner: names, company: sender.company }, printing: sender.printing };
}

/** Custom fields as values with their types, under the names of the interface; null where unset. */
function customNames({ row, fields }: MailDocument): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [memberName(field), typedValue(field, storedValue(row.custom, field), row.currency)]),
  );
}

function typedValue({ type }: CustomFieldDefinition, value: unknown, currency: string): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'DATE') return dayData(String(value));
  if (type === 'CURRENCY') return decimalData(decimal(value as number).toFixed(), currency);
  if (type === 'DECIMAL' || type === 'PERCENTAGE') return decimalData(decimal(value as number).toFixed(), null);
  return value;
}

/** Loads what mails say of a document besides its head. */
export async function loadMailDocument(
  reader: Reader,
  ctx: Context,
  document: Pick<LoadedDocument, 'row' | 'lines' | 'taxes'>,
  link: string | null = null,
): Promise<MailDocument> {
  const { row, lines, taxes } = document;
  const fields = await loadActiveFields(reader, ctx, DOCUMENT_TYPES[row.docType].entityType);
  return { row, lines, taxes, fields, link };
}

/** Builds a sample view, to check templates and to show them before there is a document. */
export function sampleView(
  docType: DocType,
  { formats, printing, company }: Sender,
  fields: readonly CustomFieldDefinition[] = [],
): MailView {
  const custom = Object.fromEntries(fields.map((field) => [memberName(field), null]));
  const document = {
    title: TEXTS[formats.language].titles[docType],
    number: `${docType}2026-00017`,
    date: dayData('2026-03-02'),
    dueDate: dayData('2026-04-01'),
    ...{ documentDate: dayData('2026-03-02'), operationDate: null, validUntil: dayData('2026-04-01') },
    deliveryDate: dayData('2026-03-20'),
    reference: 'PO-4711',
    ...{ supplierReference: null, notes: null, currency: 'EUR' },
    subtotal: decimalData('1020.30', 'EUR'),
    discountTotal: decimalData('0', 'EUR'),
    ...{ chargeText: null, chargeTotal: decimalData('0', 'EUR') },
    taxTotal: decimalData('214.26', 'EUR'),
    withholdingAmount: decimalData('0', 'EUR'),
    total: decimalData('1234.56', 'EUR'),
    paidTotal: decimalData('234.56', 'EUR'),
    outstanding: decimalData('1000', 'EUR'),
    lines: [
      {
        ...{ number: 1, description: 'Item', quantity: decimalData('3', null), price: decimalData('340.10', 'EUR') },
        ...{ discountPercent: decimalData('0', null), secondDiscountPercent: decimalData('0', null) },
        ...{
          documentDiscount: decimalData('0', 'EUR'),
          documentCharge: decimalData('0', 'EUR'),
          taxRate: decimalData('21', null),
        },
        amount: decimalData('1020.30', 'EUR'),
      },
    ],
    taxes: [
      {
        code: 'IVA21',
        rate: decimalData('21', null),
        base: decimalData('1020.30', 'EUR'),
        amount: decimalData('214.26', 'EUR'),
      },
    ],
    link: null,
  };
  const name = SAMPLE_PARTNERS[formats.language];
  const partner = { name, code: 'C-001', taxId: null, email: 'partner@example.com', phone: null };
  return { names: { document: { ...custom, ...document }, partner, company }, printing };
}

const SAMPLE_PARTNERS: Readonly<Record<Language, string>> = { es: 'Cliente de ejemplo', en: 'Sample customer' };
