/** What a mail would say, without sending it. */
import type { Reader } from '../../db/database.ts';
import type { Template } from '../../domain/mail/templates.ts';
import { latestDocuments } from '../documents/latest.ts';
import { loadDocument } from '../documents/read.ts';
import { type Rendered, renderTemplate, type UnknownName, unknownNames } from '../mail/render.ts';
import type { TemplateInput } from './templates.ts';
import { sampleView, senderOf, viewOf } from './view.ts';

export interface Preview extends Rendered {
  /** The document that it is filled in with; null for a sample, before there is any. */
  readonly documentId: string | null;
  readonly unknown: readonly UnknownName[];
}

/**
 * Fills a template in with a document, else with the latest of its type, in the template's language.
 * @param changes to the template that are not saved
 * @throws ServiceError not_found (no such document of the template's type), validation_failed for what is no template
 */
export async function previewMail(
  reader: Reader,
  stored: TemplateInput,
  { documentId, ...changes }: Partial<Template> & { readonly documentId?: string | undefined },
): Promise<Preview> {
  const { docType, language } = stored;
  const template = { ...stored, ...changes };
  const sender = await senderOf(reader, language);
  const [latest = null] = documentId === undefined ? await latestDocuments(reader, { docTypes: [docType] }, 1) : [];
  const id = documentId ?? latest;
  const view = id === null ? sampleView(docType, sender) : await viewFor(reader, id);
  return { ...(await renderTemplate(template, view)), documentId: id, unknown: unknownNames(template, view) };

  async function viewFor(on: Reader, of: string) {
    const { row } = await loadDocument(on, of, docType);
    return viewOf(row, row.partner, sender);
  }
}
