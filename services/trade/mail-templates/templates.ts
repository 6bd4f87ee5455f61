/**
 * The company's templates for mails with documents, by document type and language. The service's own apply where there
 * is none.
 */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import type { JsonRow } from '../../../db/models/base.ts';
import { EmailTemplate } from '../../../db/models/messages/mail.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { defaultTemplate, type Template } from '../../../domain/messages/mail/templates.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { renderTemplate, type TemplateWarning } from '../../messages/mail/render.ts';
import { loadActiveFields } from '../../records/custom-fields/definitions.ts';
import { loadSender, sampleView } from './view.ts';

export interface TemplateInput extends Template {
  readonly docType: DocType;
  readonly language: Language;
}

/** A template that was just saved, with what in it cannot be resolved. */
export interface Saved {
  readonly template: EmailTemplate;
  readonly warnings: readonly TemplateWarning[];
}

/** Finds the template that applies to a document type in a language. */
export async function templateFor(reader: Reader, docType: DocType, language: Language): Promise<Template> {
  return (await findRow(reader, EmailTemplate, { docType, language })) ?? defaultTemplate(docType, language);
}

/**
 * Creates a template.
 * @throws ServiceError duplicate; validation_failed if it is not a valid template, or renders too much text
 */
export async function createTemplate(trx: Db, ctx: Context, input: TemplateInput): Promise<Saved> {
  const warnings = await validateTemplate(trx, ctx, input);
  const { docType, language, subject, body, bodyHtml = null } = input;
  return {
    template: await insertRow(trx, ctx, EmailTemplate, { docType, language, subject, body, bodyHtml }),
    warnings,
  };
}

/** Changes a template. @throws ServiceError not_found, stale_version, and as on creation */
export async function changeTemplate(
  trx: Db,
  ctx: Context,
  id: string,
  change: Partial<Template>,
  ifMatch: number | null,
): Promise<Saved> {
  const current = await lockTemplate(trx, id, ifMatch);
  const template = await patchRow(trx, ctx, EmailTemplate, current, { ...change });
  return { template, warnings: await validateTemplate(trx, ctx, template) };
}

/** Deletes a template; from then on the service's own applies. @throws ServiceError not_found, stale_version */
export async function removeTemplate(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await removeRow(trx, ctx, EmailTemplate, await lockTemplate(trx, id, ifMatch));
}

/** @throws ServiceError not_found */
export async function readTemplate(reader: Reader, id: string): Promise<EmailTemplate> {
  const template = await findRow(reader, EmailTemplate, { id });
  if (template === undefined) throw notFound('This template');
  return template;
}

export function templateToJson(template: EmailTemplate): JsonRow {
  return EmailTemplate.toJson({ ...template });
}

/** Renders a template with a sample, so that an unusable one is refused when it is written. */
async function validateTemplate(
  reader: Reader,
  ctx: Context,
  template: TemplateInput,
): Promise<readonly TemplateWarning[]> {
  const { docType, language } = template;
  const fields = await loadActiveFields(reader, ctx, DOCUMENT_TYPES[docType].entityType);
  const view = sampleView(docType, await loadSender(reader, language), fields);
  const { subject, warnings } = await renderTemplate(ctx.tenantId, template, view);
  if (subject === '') throw invalidMember('/subject', 'required', 'must not be empty once it is filled in');
  return warnings;
}

async function lockTemplate(trx: Db, id: string, ifMatch: number | null): Promise<EmailTemplate> {
  const template = (await EmailTemplate.query(trx).findById(id).forUpdate()) as EmailTemplate | undefined;
  if (template === undefined) throw notFound('This template');
  assertVersion(template, ifMatch);
  return template;
}
