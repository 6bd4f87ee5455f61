/** Loads everything on a printed document, in two round trips. */
import type { Db } from '../../db/database.ts';
import { PaperLogo } from '../../db/models/papers.ts';
import { prepared } from '../../db/sql.ts';
import type { MentionedLine } from '../../domain/documents/mentions.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { notFound } from '../../domain/errors.ts';
import type { Decimal } from '../../domain/money.ts';
import type { CustomFieldDefinition } from '../custom-fields/definitions.ts';
import { loadDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import type { SettingsByName } from '../settings/definitions.ts';
import { findLogo } from '../settings/logo.ts';
import { withAllDefaults } from '../settings/settings.ts';
import { COMPANY_PART, DOCUMENT_FROM, DOCUMENT_PART, type PAPER_SETTINGS } from './paper-parts.ts';

/** What the paper shows of a line besides its own columns. */
export interface LineExtra extends Omit<MentionedLine, 'taxRate' | 'regime'> {
  readonly code: string | null;
  readonly uom: string | null;
  /** What has moved of each batch, signed and in the item's own unit; null before anything has. */
  readonly moved: readonly BatchMoved[] | null;
  /** The same of the note's line that an invoice is based on. */
  readonly delivered: readonly BatchMoved[] | null;
}

export interface BatchMoved {
  readonly batchNum: string;
  readonly expiryDate: string | null;
  readonly quantity: Decimal;
}

export interface BaseDocument {
  readonly docType: 'SO' | 'SDN' | 'PO' | 'PDN';
  readonly code: string | null;
  readonly date: string;
}

export interface BankAccount {
  readonly bankName: string | null;
  readonly iban: string;
  readonly bic: string | null;
}

type CustomFieldRow = Pick<CustomFieldDefinition, 'fieldName' | 'label' | 'type' | 'storageKey' | 'visibleInForm'>;

/** What is of the company. */
interface CompanyPart {
  readonly settings: PaperSettings;
  /** The default one. */
  readonly bank: BankAccount | null;
  /** The active ones, in their order. */
  readonly customFields: readonly CustomFieldRow[];
  /** The file of the uploaded logo; null if there is none. */
  readonly logoId: string | null;
}

/** What is of the document's partner, items and bases. */
interface DocumentPart {
  readonly rectifying: boolean;
  readonly partner: {
    readonly code: string;
    readonly name: string;
    readonly nif: string | null;
    readonly language: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly paymentMethod: string | null;
    readonly iban: string | null;
  };
  readonly warehouse: string | null;
  /** The invoice that this one corrects, or the note that it returns goods of. */
  readonly corrected: { readonly code: string | null; readonly date: string } | null;
  readonly reason: string | null;
  /** By the line's id. */
  readonly lineExtras: Readonly<Record<string, LineExtra>>;
  /** By the document's id. */
  readonly bases: Readonly<Record<string, BaseDocument>>;
}

type PaperSettings = Pick<SettingsByName, (typeof PAPER_SETTINGS)[number]>;

export interface PaperData extends LoadedDocument, CompanyPart, DocumentPart {
  readonly frozen: boolean;
}

/**
 * Reads a document with what its paper needs: of an invoice as it was when the invoice was posted.
 * @throws ServiceError not_found
 */
export async function loadPaperData(db: Db, documentId: string): Promise<PaperData> {
  const document = await loadDocument(db, documentId);
  const [found] = await prepared<{ frozen: boolean; company: CompanyPart; content: DocumentPart }>(db, LOAD, {
    documentId,
    entityType: DOCUMENT_TYPES[document.row.docType].entityType,
  });
  if (found === undefined) throw notFound('The document');
  const { frozen, company, content } = found;
  const { id } = document.row.partner;
  const { code, name, nif } = content.partner;
  return {
    ...document,
    ...company,
    ...content,
    frozen,
    row: { ...document.row, partner: { id, code, name, nif } },
    settings: withAllDefaults(company.settings),
  };
}

/** An uploaded logo: one that a paper has kept, or the company's own. */
export async function loadPaperLogo(db: Db, id: string): Promise<Uint8Array | null> {
  const kept = await PaperLogo.query(db).findOne({ file_id: id });
  return kept?.content ?? (await findLogo(db))?.content ?? null;
}

/** Anything is read live only where nothing is frozen. */
const LOAD = `
  select frozen.document_id is not null as frozen,
    coalesce(frozen.company, ${COMPANY_PART}) as company, coalesce(frozen.content, ${DOCUMENT_PART}) as content
  from ${DOCUMENT_FROM}
  left join (select p.document_id, p.content, s.content as company from document_papers p
    join paper_settings s on s.id = p.settings_id) frozen on frozen.document_id = d.id
  where d.id = :documentId`;
