/** Generated files, stored in the database so that every process can serve them. */
import { followUp } from '../../../db/changes/follow-up.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { prepared, query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import type { PaperForm } from '../../../domain/trade/documents/types.ts';
import { assertStored } from '../storage/budget.ts';

export interface StoredFile {
  readonly id: string;
  /** Suggested name for downloads. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export const PDF = 'application/pdf';
const DOCUMENT_PDF = 'document_pdf';
/** Kinds of PDFs of documents, by the form in which they are printed. */
const PDF_KINDS: Readonly<Record<PaperForm, string>> = { document: DOCUMENT_PDF, proforma: 'proforma_pdf' };
const ALL_PDFS = Object.values(PDF_KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ');
/** Kind of files attached to records. */
export const ATTACHMENT = 'attachment';
/** Kind of payslips that employees have opened. */
const PAYSLIP = 'payslip';
/** Kind of company logos. */
export const LOGO = 'company_logo';
/** SQL columns of a FileRow, from files f. PostgreSQL and the driver handle base64 in half the time of their own format. */
export const FILE_COLUMNS = `f.id, f.name, f.content_type as "contentType", encode(f.content, 'base64') as content`;

/** A file as selected by `FILE_COLUMNS`. */
export type FileRow = Omit<StoredFile, 'content'> & { readonly content: string };

export function storedFile({ content, ...file }: FileRow): StoredFile {
  return { ...file, content: Buffer.from(content, 'base64') };
}

/**
 * Finds the stored PDF of a document's version, unless it is outdated. PDFs of posted documents never are; others are once the partner,
 * items, or the company's settings, bank accounts or custom fields have changed.
 */
export async function findDocumentPdf(
  db: Db,
  documentId: string,
  version: number,
  form: PaperForm = 'document',
): Promise<StoredFile | undefined> {
  const { rows } = (await db.raw(
    `select ${FILE_COLUMNS} from files f
     join documents d on d.id = f.entity_id join partners p on p.id = d.partner_id
     where f.kind = ? and f.entity_id = ? and f.entity_version = ?
       and (d.posted_at is not null
         or f.created_at > greatest(p.updated_at,
              (select max(s.updated_at) from settings s),
              (select max(b.updated_at) from bank_accounts b),
              (select max(c.updated_at) from custom_fields c),
              (select max(i.updated_at) from document_lines l join items i on i.id = l.item_id where l.document_id = d.id)))`,
    [PDF_KINDS[form], documentId, version],
  )) as { rows: FileRow[] };
  return rows.map(storedFile)[0];
}

/**
 * Stores the PDF of a version; there is one per version, final once the document is posted. @returns its id, which stays the same when it
 * is rendered again
 */
export async function storeDocumentPdf(
  trx: Db,
  ctx: Context,
  file: {
    readonly documentId: string;
    readonly version: number;
    readonly form?: PaperForm;
    readonly name: string;
    readonly content: Uint8Array;
  },
): Promise<string> {
  const { documentId: entityId, version: entityVersion, form = 'document', ...rest } = file;
  return await putFile(trx, ctx, { kind: PDF_KINDS[form], contentType: PDF, entityId, entityVersion, ...rest });
}

/** Finds the PDF of a posted payroll, which never changes; undefined until somebody has opened it. */
export async function findPayslip(reader: Reader, payrollId: string): Promise<StoredFile | undefined> {
  const sql = `select ${FILE_COLUMNS} from files f where f.kind = '${PAYSLIP}' and f.entity_id = :payrollId::uuid`;
  const [found] = await prepared<FileRow>(reader, sql, { payrollId });
  return found && storedFile(found);
}

/** Stores the PDF of a posted payroll. */
export async function storePayslip(
  trx: Db,
  ctx: Context,
  { payrollId, ...file }: Omit<StoredFile, 'id' | 'content'> & { payrollId: string; readonly content: Uint8Array },
): Promise<void> {
  await putFile(trx, ctx, { ...file, kind: PAYSLIP, entityId: payrollId, entityVersion: 1 });
}

/** Stores a file without an entity. @returns its id, by which alone it is found */
export async function storeFile(
  trx: Db,
  ctx: Context,
  file: Omit<StoredFile, 'id' | 'content'> & { readonly kind: 'sepa_order'; readonly content: Uint8Array },
): Promise<string> {
  return await putFile(trx, ctx, { ...file, entityId: null, entityVersion: null });
}

/** Stores the content of an attachment, which has a single version. */
export async function storeAttachment(
  trx: Db,
  ctx: Context,
  { id, ...file }: Omit<StoredFile, 'content'> & { readonly content: Uint8Array },
): Promise<void> {
  await putFile(trx, ctx, { ...file, kind: ATTACHMENT, entityId: id, entityVersion: 1 });
}

interface NewFile {
  readonly kind: string;
  readonly name: string;
  readonly contentType: string;
  /** The entity that it belongs to; null for a file found only by its id. */
  readonly entityId: string | null;
  readonly entityVersion: number | null;
  readonly content: Uint8Array;
}

/** Files that a full company can still get: those that show what it has, and results of what has begun. */
const FROM_RESERVE: ReadonlySet<string> = new Set([...Object.values(PDF_KINDS), PAYSLIP, 'task_result']);

/**
 * Stores a file, replacing that of the same kind, entity and version. PDFs of unposted documents may be rendered again.
 * @returns its id
 * @throws ServiceError storage_full, body_too_large
 */
export async function putFile(trx: Db, ctx: Context, { content, ...file }: NewFile): Promise<string> {
  const [stored] = await query<{ id: string }>(
    trx,
    `insert into files (id, tenant_id, kind, name, content_type, entity_id, entity_version, content, created_at, replaceable)
     values (:id, :tenantId, :kind, :name, :contentType, :entityId, :entityVersion, :content, :now,
       :kind::text in (${ALL_PDFS}) and not exists (select from documents d where d.id = :entityId::uuid and d.posted_at is not null))
     on conflict (tenant_id, kind, entity_id, entity_version)
       do update set name = excluded.name, content_type = excluded.content_type, content = excluded.content,
         created_at = excluded.created_at,
         replaceable = excluded.replaceable
     returning id`,
    { id: newId(), tenantId: ctx.tenantId, ...file, content: Buffer.from(content), now: ctx.now.toISOString() },
  );
  await assertStored(trx, ctx, content.length, FROM_RESERVE.has(file.kind) ? 'reserve' : 'budget');
  return stored?.id ?? '';
}

/** Keeps the PDF of a document's version for the next one, because nothing shown in it has changed. */
export const keepDocumentPdf = followUp<{ readonly documentId: string; readonly version: number }>(
  'keep the PDF',
  async (trx, _ctx, { documentId, version }) => {
    await query(
      trx,
      `update files set entity_version = entity_version + 1
       where kind in (${ALL_PDFS}) and entity_id = :documentId and entity_version = :version`,
      { documentId, version },
    );
  },
  { together: true },
);

/** Finds the file of a kind of which an entity has only one. @throws ServiceError not_found */
export async function findEntityFile(reader: Reader, kind: string, entityId: string): Promise<StoredFile> {
  const sql = `select ${FILE_COLUMNS} from files f where f.entity_id = :entityId and f.kind = :kind`;
  const [file] = await prepared<FileRow>(reader, sql, { entityId, kind });
  if (file === undefined) throw notFound('The file');
  return storedFile(file);
}

/** Reads a file. @throws ServiceError not_found */
export async function readFile(reader: Reader, id: string): Promise<StoredFile> {
  const [file] = await prepared<FileRow>(reader, `select ${FILE_COLUMNS} from files f where f.id = :id`, { id });
  if (file === undefined) throw notFound('The file');
  return storedFile(file);
}
