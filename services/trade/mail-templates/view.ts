/** Names available in mail templates. */

import type { Reader } from '../../../db/database.ts';
import type { Partner } from '../../../db/models/records/master-data.ts';
import { type Formats, formatsFor, type Language } from '../../../domain/locale/formats.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { DocumentRow } from '../documents/stored.ts';
import { TEXTS } from '../pdf/texts/index.ts';

/** The company's part of a view, with the language and formats of the rest. */
export interface Sender {
  readonly formats: Formats;
  readonly company: Readonly<Record<'name' | 'email' | 'phone' | 'website', string>>;
}

/** Loads the sender of a mail. @param language of the recipient; null for the company's */
export async function loadSender(reader: Reader, language: string | null): Promise<Sender> {
  const [format, { name, email, phone, website }] = await Promise.all([
    loadSettings(reader, 'format'),
    loadSettings(reader, 'company'),
  ]);
  const company = { name, email: email ?? '', phone: phone ?? '', website: website ?? '' };
  return { formats: formatsFor(format, language), company };
}

/** Builds the view of a document, its partner and the company, under the names used in templates. */
export function createMailView(row: DocumentRow, partner: Pick<Partner, 'name'>, { formats, company }: Sender) {
  const { day, money, language } = formats;
  return {
    document: {
      title: TEXTS[language].titles[row.docType],
      number: row.code ?? '',
      date: day(row.date),
      dueDate: row.dueDate === null ? '' : day(row.dueDate),
      total: money(row.total, row.currency),
      reference: row.reference ?? '',
    },
    partner: { name: partner.name },
    company,
  };
}

export type MailView = ReturnType<typeof createMailView>;

/** Builds a sample view, to check templates and to show them before there is a document. */
export function sampleView(docType: DocType, { formats, company }: Sender): MailView {
  const { day, money, language } = formats;
  return {
    document: {
      title: TEXTS[language].titles[docType],
      number: `${docType}2026-00017`,
      date: day('2026-03-02'),
      dueDate: day('2026-04-01'),
      total: money('1234.56', 'EUR'),
      reference: 'PO-4711',
    },
    partner: { name: SAMPLE_PARTNERS[language] },
    company,
  };
}

const SAMPLE_PARTNERS: Readonly<Record<Language, string>> = { es: 'Cliente de ejemplo', en: 'Sample customer' };
