/** What a mail with a document says: the company's template, filled in with the document. */
import type { Reader } from '../../db/database.ts';
import type { Partner } from '../../db/models/master-data.ts';
import { formatsFor } from '../../domain/locale/formats.ts';
import { defaultTemplate } from '../../domain/mail/templates.ts';
import type { DocumentRow } from '../documents/stored.ts';
import { asHtml, type Rendered, renderTemplate } from '../mail/render.ts';
import { TEXTS } from '../pdf/texts/index.ts';
import { loadSettings } from '../settings/settings.ts';

/** What templates may name. */
export function mailView(
  row: DocumentRow,
  partner: Pick<Partner, 'name' | 'language'>,
  settings: { readonly format: Parameters<typeof formatsFor>[0]; readonly company: { readonly name: string } },
) {
  const formats = formatsFor(settings.format, partner.language);
  const { day, money, language } = formats;
  return {
    language,
    document: {
      title: TEXTS[language].titles[row.docType],
      number: row.code ?? '',
      date: day(row.date),
      dueDate: row.dueDate === null ? '' : day(row.dueDate),
      total: money(row.total, row.currency),
      reference: row.reference ?? '',
    },
    partner: { name: partner.name },
    company: settings.company,
  };
}

/**
 * The mail with a document, in the partner's language.
 * @param own what the sender writes in place of the template
 * @throws ServiceError validation_failed for a template that cannot be used
 */
export async function documentMail(
  reader: Reader,
  row: DocumentRow,
  partner: Pick<Partner, 'name' | 'language'>,
  own: { readonly subject?: string | undefined; readonly body?: string | undefined },
): Promise<Rendered> {
  const [format, { name, email, phone, website }] = await Promise.all([
    loadSettings(reader, 'format'),
    loadSettings(reader, 'company'),
  ]);
  const company = { name, email: email ?? '', phone: phone ?? '', website: website ?? '' };
  const { language, ...view } = mailView(row, partner, { format, company });
  const { subject, text, html } = await renderTemplate(defaultTemplate(row.docType, language), view);
  return {
    subject: own.subject ?? subject,
    ...(own.body === undefined ? { text, html } : { text: own.body, html: asHtml(own.body) }),
  };
}
