/** Previews a mail without sending it. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';
import { type CheckedTemplate, renderTemplate } from '../../messages/mail/render.ts';
import { listLatestDocuments } from '../documents/latest.ts';
import { loadDocument } from '../documents/read.ts';
import { substitution } from '../documents/substitution.ts';
import type { TemplateInput } from './templates.ts';
import { createMailView, loadSender, sampleView } from './view.ts';

export interface Preview extends CheckedTemplate {
  /** The document used; null for a sample, before there is any. */
  readonly documentId: string | null;
}

/**
 * Renders a template with a document, otherwise with the latest of its type, in the template's language.
 * @param changes unsaved changes to the template
 * @throws ServiceError not_found (no such document of the template's type); validation_failed if it is not a valid
 * template
 */
export async function previewMail(
  reader: Reader,
  { tenantId }: Pick<Context, 'tenantId'>,
  stored: TemplateInput,
  { documentId, ...changes }: Partial<Template> & { readonly documentId?: string | undefined },
): Promise<Preview> {
  const { docType, language } = stored;
  const template = { ...stored, ...changes };
  const sender = await loadSender(reader, language);
  const [latest = null] = documentId === undefined ? await listLatestDocuments(reader, { docTypes: [docType] }, 1) : [];
  const id = documentId ?? latest;
  const view = id === null ? sampleView(docType, sender) : await viewFor(reader, id);
  return { ...(await renderTemplate(tenantId, template, view)), documentId: id };

  async function viewFor(on: Reader, of: string) {
    const document = await loadDocument(on, of, docType);
    const { row } = substitution(document)?.stated ?? document;
    return createMailView(row, row.partner, sender);
  }
}
