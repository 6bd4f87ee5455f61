/** Previews a mail without sending it. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { type CheckedTemplate, renderTemplate } from '../../messages/mail/render.ts';
import { loadActiveFields } from '../../records/custom-fields/definitions.ts';
import { listLatestDocuments } from '../documents/latest.ts';
import { loadDocument } from '../documents/read.ts';
import { substitution } from '../documents/substitution.ts';
import type { TemplateInput } from './templates.ts';
import { createMailView, loadMailDocument, loadSender, sampleView } from './view.ts';

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
  ctx: Context,
  stored: TemplateInput,
  { documentId, ...changes }: Partial<Template> & { readonly documentId?: string | undefined },
): Promise<Preview> {
  const { docType, language } = stored;
  const template = { ...stored, ...changes };
  const sender = await loadSender(reader, language);
  const [latest = null] = documentId === undefined ? await listLatestDocuments(reader, { docTypes: [docType] }, 1) : [];
  const id = documentId ?? latest;
  const view = id === null ? await sampleFor(reader) : await viewFor(reader, id);
  return { ...(await renderTemplate(ctx.tenantId, template, view)), documentId: id };

  async function sampleFor(on: Reader) {
    return sampleView(docType, sender, await loadActiveFields(on, ctx, DOCUMENT_TYPES[docType].entityType));
  }

  async function viewFor(on: Reader, of: string) {
    const document = await loadDocument(on, of, docType);
    const stated = substitution(document)?.stated ?? document;
    const partner = await findRow(on, Partner, { id: stated.row.partner.id });
    return createMailView(await loadMailDocument(on, ctx, stated), partner ?? stated.row.partner, sender);
  }
}
