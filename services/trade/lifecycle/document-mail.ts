/** Fills in the company's e-mail template with a document. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { Partner } from '../../../db/models/records/master-data.ts';
import { defaultTemplate } from '../../../domain/messages/mail/templates.ts';
import { type Rendered, renderTemplate, textToHtml } from '../../messages/mail/render.ts';
import { templateFor } from '../mail-templates/templates.ts';
import { createMailView, loadSender, type MailDocument, type MailPartner } from '../mail-templates/view.ts';

/**
 * The mail with a document, in the partner's language.
 * @param own what the sender writes in place of the template
 * @throws ServiceError validation_failed for a template that cannot be used
 */
export async function documentMail(
  reader: Reader,
  { tenantId }: Pick<Context, 'tenantId'>,
  mailed: MailDocument,
  partner: MailPartner & Pick<Partner, 'language'>,
  own: { readonly subject?: string | undefined; readonly body?: string | undefined },
): Promise<Rendered> {
  const sender = await loadSender(reader, partner.language);
  const template = await templateFor(reader, mailed.row.docType, sender.formats.language);
  const { row } = mailed;
  const view = createMailView(mailed, partner, sender);
  const { subject, text, html } = await renderTemplate(tenantId, template, view, '/template');
  return {
    // A template can come out blank for some data.
    subject: own.subject ?? (subject === '' ? await usualSubject() : subject),
    ...(own.body === undefined ? { text, html } : { text: own.body, html: textToHtml(own.body) }),
  };

  async function usualSubject(): Promise<string> {
    return (await renderTemplate(tenantId, defaultTemplate(row.docType, sender.formats.language), view)).subject;
  }
}
