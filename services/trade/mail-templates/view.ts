/** Names available in mail templates. */

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
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { DocumentRow } from '../documents/stored.ts';
import { TEXTS } from '../pdf/texts/index.ts';

/** The company's part of a view, with the language and formats of the rest. */
export interface Sender {
  readonly formats: Formats;
  readonly printing: Printing;
  readonly company: Readonly<Record<'name' | 'email' | 'phone' | 'website', string | null>>;
}

/** Loads the sender of a mail. @param language of the recipient; null for the company's */
export async function loadSender(reader: Reader, language: string | null): Promise<Sender> {
  const [format, { name, email, phone, website, currency }] = await Promise.all([
    loadSettings(reader, 'format'),
    loadSettings(reader, 'company'),
  ]);
  const { locale, dateFormat, decimalPrecision, quantityPrecision, timezone } = format;
  const choices = { locale, dateFormat, decimalPrecision, quantityPrecision };
  return {
    formats: formatsFor(choices, language),
    printing: { choices, language, timezone, currency },
    company: { name, email: email || null, phone: phone || null, website: website || null },
  };
}

/** The names in templates of mails with documents. What a document does not have is null, and neither printed nor true. */
export interface MailNames {
  readonly document: {
    readonly title: string;
    readonly number: string | null;
    readonly date: DayData;
    readonly dueDate: DayData | null;
    readonly total: DecimalData;
    readonly reference: string | null;
  };
  readonly partner: { readonly name: string };
  readonly company: Sender['company'];
}

/** A view of a mail with a document. */
export interface MailView extends View {
  readonly names: MailNames;
}

/** Builds the view of a document, its partner and the company. */
export function createMailView(row: DocumentRow, partner: Pick<Partner, 'name'>, sender: Sender): MailView {
  const { code, date, dueDate, total, currency, reference, docType } = row;
  const document = {
    title: TEXTS[sender.formats.language].titles[docType],
    number: code,
    date: dayData(date),
    dueDate: dueDate === null ? null : dayData(dueDate),
    total: decimalData(total, currency),
    reference: reference || null,
  };
  return { names: { document, partner: { name: partner.name }, company: sender.company }, printing: sender.printing };
}

/** Builds a sample view, to check templates and to show them before there is a document. */
export function sampleView(docType: DocType, { formats, printing, company }: Sender): MailView {
  const document = {
    title: TEXTS[formats.language].titles[docType],
    number: `${docType}2026-00017`,
    date: dayData('2026-03-02'),
    dueDate: dayData('2026-04-01'),
    total: decimalData('1234.56', 'EUR'),
    reference: 'PO-4711',
  };
  return { names: { document, partner: { name: SAMPLE_PARTNERS[formats.language] }, company }, printing };
}

const SAMPLE_PARTNERS: Readonly<Record<Language, string>> = { es: 'Cliente de ejemplo', en: 'Sample customer' };
