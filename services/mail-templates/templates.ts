/** The mails with documents as a company words them, by type of document and language; the service's own apply where there is none. */
import type { Context } from '../../db/context.ts';
import type { Db, Reader } from '../../db/database.ts';
import type { JsonRow } from '../../db/models/base.ts';
import { EmailTemplate } from '../../db/models/emails.ts';
import { findRow } from '../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import type { DocType } from '../../domain/documents/types.ts';
import { invalidMember, notFound } from '../../domain/errors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import { defaultTemplate, type Template } from '../../domain/mail/templates.ts';
import { renderTemplate, type UnknownName, unknownNames } from '../mail/render.ts';
import { sampleView, senderOf } from './view.ts';

export interface TemplateInput extends Template {
  readonly docType: DocType;
  readonly language: Language;
}

/** A template that was just saved, with the names in it that documents do not have. */
export interface Saved {
  readonly template: EmailTemplate;
  readonly unknown: readonly UnknownName[];
}

/** The template that applies to a type of documents in a language. */
export async function templateFor(reader: Reader, docType: DocType, language: Language): Promise<Template> {
  return (await findRow(reader, EmailTemplate, { docType, language })) ?? defaultTemplate(docType, language);
}

/** @throws ServiceError duplicate, validation_failed for what is no template, or becomes too long */
export async function createTemplate(trx: Db, ctx: Context, input: TemplateInput): Promise<Saved> {
  const unknown = await check(trx, input);
  const { docType, language, subject, body, bodyHtml = null } = input;
  return {
    template: await insertRow(trx, ctx, EmailTemplate, { docType, language, subject, body, bodyHtml }),
    unknown,
  };
}

/** @throws ServiceError not_found, stale_version, and as at creation */
export async function changeTemplate(
  trx: Db,
  ctx: Context,
  id: string,
  change: Partial<Template>,
  ifMatch: number | null,
): Promise<Saved> {
  const current = await lockTemplate(trx, id, ifMatch);
  const template = await patchRow(trx, ctx, EmailTemplate, current, { ...change });
  return { template, unknown: await check(trx, template) };
}

/** From then on the service's own applies. @throws ServiceError not_found, stale_version */
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

/** Fills a template in with a sample, so that one that cannot be used is refused when it is written. */
async function check(reader: Reader, template: TemplateInput): Promise<UnknownName[]> {
  const view = sampleView(template.docType, await senderOf(reader, template.language));
  const unknown = unknownNames(template, view);
  const { subject } = await renderTemplate(template, view);
  if (subject === '') throw invalidMember('/subject', 'required', 'must not be empty once it is filled in');
  return unknown;
}

async function lockTemplate(trx: Db, id: string, ifMatch: number | null): Promise<EmailTemplate> {
  const template = (await EmailTemplate.query(trx).findById(id).forUpdate()) as EmailTemplate | undefined;
  if (template === undefined) throw notFound('This template');
  assertVersion(template, ifMatch);
  return template;
}
