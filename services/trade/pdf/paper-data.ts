/** Loads everything on a printed document in two round trips. */
import type { Db, Reader } from '../../../db/database.ts';
import { PaperLogo } from '../../../db/models/trade/papers.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { MentionedLine } from '../../../domain/trade/documents/mentions.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { SettingsByName } from '../../platform/settings/definitions.ts';
import { findLogo } from '../../platform/settings/logo.ts';
import { withAllDefaults } from '../../platform/settings/settings.ts';
import type { CustomFieldDefinition } from '../../records/custom-fields/definitions.ts';
import { loadDocument } from '../documents/read.ts';
import type { FullInvoiceData, LoadedDocument } from '../documents/stored.ts';
import { type Substitution, substitution } from '../documents/substitution.ts';
import { COMPANY_PART, DOCUMENT_FROM, DOCUMENT_PART, type PAPER_SETTINGS } from './paper-parts.ts';

/** Data of a line that is not in its own columns. */
export interface LineExtra extends Omit<MentionedLine, 'taxRate' | 'regime'> {
  readonly code: string | null;
  readonly uom: string | null;
  /** The member state whose tax it bears; null for the company's own, and on papers older than the Union scheme. */
  readonly consumptionCountry?: string | null;
  /** Components of a kit, with the quantity in one; null for other lines, and on papers older than kits. */
  readonly parts?: readonly { readonly name: string; readonly quantity: Decimal; readonly uom: string }[] | null;
  /** Quantity moved of each batch, signed and in the item's own unit; null before any movement. */
  readonly moved: readonly BatchMoved[] | null;
  /** The same for the note's line that an invoice is based on. */
  readonly delivered: readonly BatchMoved[] | null;
}

export interface BatchMoved {
  readonly batchNum: string;
  readonly expiryDate: string | null;
  readonly quantity: Decimal;
}

export interface BaseDocument {
  readonly docType: 'SQ' | 'SO' | 'SDN' | 'PR' | 'PO' | 'PDN';
  readonly code: string | null;
  readonly date: string;
}

export interface BankAccount {
  readonly bankName: string | null;
  readonly iban: string;
  readonly bic: string | null;
}

type CustomFieldRow = Pick<CustomFieldDefinition, 'fieldName' | 'label' | 'type' | 'storageKey' | 'visibleInForm'>;

/** The company's part. */
interface CompanyPart {
  readonly settings: PaperSettings;
  /** The account to pay to: the default one, unless there is one in the document's currency. */
  readonly bank: BankAccount | null;
  /** Active fields, in their order. */
  readonly customFields: readonly CustomFieldRow[];
  /** File of the uploaded logo; null if there is none. */
  readonly logoId: string | null;
}

/** The part about the document's partner, items and bases. */
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
  /** The invoice that this one corrects, or the note whose goods it returns. */
  readonly corrected: { readonly code: string | null; readonly date: string } | null;
  readonly reason: string | null;
  /** By line id. */
  readonly lineExtras: Readonly<Record<string, LineExtra>>;
  /** By document id. */
  readonly bases: Readonly<Record<string, BaseDocument>>;
  /** The company's account in the currency of a document in another one; absent or null if there is none. */
  readonly currencyBank?: BankAccount | null;
}

type PaperSettings = Pick<SettingsByName, (typeof PAPER_SETTINGS)[number]>;

export interface PaperData extends LoadedDocument, CompanyPart, DocumentPart {
  readonly frozen: boolean;
  /** Amounts that a rectification by substitution replaces, and the difference; all other members are those of what it states. */
  readonly substitution: Pick<Substitution<LoadedDocument>, 'replaced' | 'difference'> | null;
  /** The simplified invoice in exchange for which it was given. */
  readonly replaces: { readonly code: string | null; readonly date: string } | null;
}

/**
 * Loads a document with everything on its paper; for an invoice, as it was when it was posted.
 * @throws ServiceError not_found
 */
export async function loadPaperData(db: Reader, documentId: string): Promise<PaperData> {
  const document = await loadDocument(db, documentId);
  const [found] = await prepared<{ frozen: boolean; company: CompanyPart; content: DocumentPart }>(db, LOAD, {
    documentId,
    entityType: DOCUMENT_TYPES[document.row.docType].entityType,
  });
  if (found === undefined) throw notFound('The document');
  const { frozen, company, content } = found;
  const data = {
    ...document,
    ...company,
    ...content,
    bank: content.currencyBank ?? company.bank,
    frozen,
    settings: withAllDefaults(company.settings),
    replaces: null,
    substitution: null,
  };
  const { id } = document.row.partner;
  const { code, name, nif } = content.partner;
  const shown = { ...data, row: { ...document.row, partner: { id, code, name, nif } } };
  return document.full === null ? restated(shown) : exchanged(shown, document.full);
}

/** The paper of a rectification by substitution states the invoice as it should have been (RD 1619/2012, art. 15.5). */
function restated(data: PaperData): PaperData {
  const found = substitution(data);
  return found === null ? data : { ...found.stated, substitution: found };
}

/** The paper of an invoice that was exchanged is that of the full one. */
function exchanged(data: PaperData, { code, date, partnerId, billingAddress, recipient }: FullInvoiceData): PaperData {
  const { row, partner } = data;
  const { code: partnerCode, name, nif } = recipient;
  return {
    ...data,
    partner: { ...partner, ...recipient },
    replaces: { code: row.code, date: row.date },
    row: {
      ...row,
      ...{ code, date, documentDate: null, billingAddress },
      operationDate: row.operationDate ?? (row.date === date ? null : row.date),
      partner: { id: partnerId, code: partnerCode, name, nif },
    },
  };
}

/** Loads an uploaded logo: one that a paper has kept, or the company's current one. */
export async function loadPaperLogo(db: Db, id: string): Promise<Uint8Array | null> {
  const kept = await PaperLogo.query(db).findOne({ file_id: id });
  return kept?.content ?? (await findLogo(db))?.content ?? null;
}

/** Reads live data only if nothing is frozen. */
const LOAD = `
  select frozen.document_id is not null as frozen,
    coalesce(frozen.company, ${COMPANY_PART}) as company, coalesce(frozen.content, ${DOCUMENT_PART}) as content
  from ${DOCUMENT_FROM}
  left join (select p.document_id, p.content, s.content as company from document_papers p
    join paper_settings s on s.id = p.settings_id) frozen on frozen.document_id = d.id
  where d.id = :documentId`;
