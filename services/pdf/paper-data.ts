/** Loads everything on a printed document, in two round trips. */
import type { Db } from '../../db/database.ts';
import type { MentionedLine } from '../../domain/documents/mentions.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import type { Decimal } from '../../domain/money.ts';
import type { CustomFieldDefinition } from '../custom-fields/definitions.ts';
import { loadDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import type { SettingsByName } from '../settings/definitions.ts';
import { loadAllSettings } from '../settings/settings.ts';

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

interface Extras {
  readonly rectifying: boolean;
  readonly partner: {
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
  /** The company's default one. */
  readonly bank: BankAccount | null;
  /** The active ones, in their order. */
  readonly customFields: readonly CustomFieldRow[];
  /** By the line's id. */
  readonly lineExtras: Readonly<Record<string, LineExtra>>;
  /** By the document's id. */
  readonly bases: Readonly<Record<string, BaseDocument>>;
}

export interface PaperData extends LoadedDocument, Extras {
  readonly settings: SettingsByName;
}

/**
 * Reads a document with what its paper needs.
 * @throws ServiceError not_found
 */
export async function loadPaperData(db: Db, documentId: string): Promise<PaperData> {
  const document = await loadDocument(db, documentId);
  const { entityType } = DOCUMENT_TYPES[document.row.docType];
  const { rows } = (await db.raw(EXTRAS, [entityType, documentId])) as { rows: [Extras] };
  return { ...document, ...rows[0], settings: await loadAllSettings(db) };
}

const EXTRAS = `
  select s.rectifying,
    json_build_object('language', p.language, 'email', p.email, 'phone', p.phone, 'paymentMethod', p.payment_method, 'iban',
      p.iban) as partner,
    w.name as warehouse, d.reason,
    (select json_build_object('code', r.code, 'date', r.date) from documents r where r.id = coalesce(d.rectifies, d.returns)) as corrected,
    (select json_build_object('bankName', bank_name, 'iban', iban, 'bic', bic) from bank_accounts where is_default) as bank,
    (select coalesce(json_agg(json_build_object('fieldName', c.field_name, 'label', c.label, 'type', c.type, 'storageKey', c.storage_key,
         'visibleInForm', c.visible_in_form) order by c.position, c.field_name), '[]')
       from custom_fields c where c.active and c.table_name = ?) as "customFields",
    (select coalesce(json_object_agg(l.id, json_build_object('code', i.code, 'uom', u.code, 'taxKind', t.kind,
         'goods', i.type is not distinct from 'product', 'moved', (
           select json_agg(json_build_object('batchNum', b.batch_num, 'expiryDate', b.expiry_date, 'quantity', m.quantity::text)
             order by b.expiry_date, b.batch_num)
           from (select batch_id, sum(quantity) as quantity from stock_movements
                 where document_line_id = l.id and batch_id is not null group by batch_id having sum(quantity) <> 0) m
           join batches b on b.id = m.batch_id), 'delivered', (
           select json_agg(json_build_object('batchNum', b.batch_num, 'expiryDate', b.expiry_date, 'quantity', m.quantity::text)
             order by b.expiry_date, b.batch_num)
           from (select batch_id, sum(quantity) as quantity from stock_movements
                 where document_line_id = l.base_line_id and l.base_type in ('SDN', 'PDN') and batch_id is not null
                 group by batch_id having sum(quantity) <> 0) m
           join batches b on b.id = m.batch_id))), '{}')
       from document_lines l join taxes t on t.id = l.tax_group_id left join items i on i.id = l.item_id
       left join uoms u on u.id = coalesce(l.uom_id, i.uom_id)
       where l.document_id = d.id) as "lineExtras",
    (select coalesce(json_object_agg(b.id, json_build_object('docType', b.doc_type, 'code', b.code, 'date', b.date)), '{}')
       from documents b where b.id in (select l.base_id from document_lines l where l.document_id = d.id)) as bases
  from documents d join series s on s.id = d.series_id join partners p on p.id = d.partner_id
  left join warehouses w on w.id = d.warehouse_id
  where d.id = ?`;
