/**
 * The document types, declared once for sales and purchases. Services, routes, events and docs are derived from
 * this table.
 */
import type { CustomFieldTable } from '../../records/custom-fields.ts';

export const DOC_TYPES = ['SQ', 'SO', 'SDN', 'SINV', 'PR', 'PO', 'PDN', 'PINV'] as const;
export type DocType = (typeof DOC_TYPES)[number];
export type DocumentSide = 'sales' | 'purchase';
export type DocumentKind = 'quotation' | 'order' | 'delivery_note' | 'invoice';
/**
 * Document statuses with their letters in the database and the API. An invoice is open once it is posted, a quotation once it is sent; the
 * last three are answers to quotations.
 */
export const DOCUMENT_STATUS = {
  draft: 'D',
  open: 'O',
  partial: 'P',
  closed: 'C',
  cancelled: 'X',
  accepted: 'A',
  rejected: 'R',
  expired: 'E',
} as const;
export type DocumentStatus = (typeof DOCUMENT_STATUS)[keyof typeof DOCUMENT_STATUS];
export const DOCUMENT_STATUSES = Object.values(DOCUMENT_STATUS);

export type DocumentEntity = Exclude<CustomFieldTable, 'Item' | 'BusinessPartner' | 'Employee' | 'Warehouse'>;

export interface DocumentTypeInfo {
  readonly code: DocType;
  readonly side: DocumentSide;
  readonly kind: DocumentKind;
  /** Name in events, payments and paths: sales_order … */
  readonly name: string;
  /** Name in the audit log and custom fields: SalesOrder … */
  readonly entityType: DocumentEntity;
  readonly path: string;
  readonly resource:
    | 'sales_quotations'
    | 'sales_orders'
    | 'sales_delivery_notes'
    | 'sales_invoices'
    | 'purchase_requests'
    | 'purchase_orders'
    | 'purchase_delivery_notes'
    | 'purchase_invoices';
  /** Types of documents that its lines can be based on. */
  readonly bases: readonly DocType[];
  /** Direction of goods: −1 out, +1 in. */
  readonly direction: -1 | 1;
}

export const DOCUMENT_TYPES: Readonly<Record<DocType, DocumentTypeInfo>> = {
  SQ: info(
    'SQ',
    'sales',
    'quotation',
    'sales_quotation',
    'SalesQuotation',
    '/api/sales/quotations',
    'sales_quotations',
    [],
  ),
  SO: info('SO', 'sales', 'order', 'sales_order', 'SalesOrder', '/api/sales', 'sales_orders', ['SQ']),
  SDN: info(
    'SDN',
    'sales',
    'delivery_note',
    'sales_delivery_note',
    'SalesDeliveryNote',
    '/api/sales/delivery-notes',
    'sales_delivery_notes',
    ['SO'],
  ),
  SINV: info('SINV', 'sales', 'invoice', 'sales_invoice', 'SalesInvoice', '/api/sales/invoices', 'sales_invoices', [
    'SDN',
    'SO',
    'SQ',
  ]),
  PR: info(
    'PR',
    'purchase',
    'quotation',
    'purchase_request',
    'PurchaseRequest',
    '/api/purchases/requests',
    'purchase_requests',
    [],
  ),
  PO: info('PO', 'purchase', 'order', 'purchase_order', 'PurchaseOrder', '/api/purchases', 'purchase_orders', ['PR']),
  PDN: info(
    'PDN',
    'purchase',
    'delivery_note',
    'purchase_delivery_note',
    'PurchaseDeliveryNote',
    '/api/purchases/delivery-notes',
    'purchase_delivery_notes',
    ['PO'],
  ),
  PINV: info(
    'PINV',
    'purchase',
    'invoice',
    'purchase_invoice',
    'PurchaseInvoice',
    '/api/purchases/invoices',
    'purchase_invoices',
    ['PDN', 'PO', 'PR'],
  ),
};

function info(
  code: DocType,
  side: DocumentSide,
  kind: DocumentKind,
  name: string,
  entityType: DocumentEntity,
  path: string,
  resource: DocumentTypeInfo['resource'],
  bases: readonly DocType[],
): DocumentTypeInfo {
  return { code, side, kind, name, entityType, path, resource, bases, direction: side === 'sales' ? -1 : 1 };
}

/** How a document is printed: as it is, or an order as a proforma invoice. */
export type PaperForm = 'document' | 'proforma';

/** Whether documents of a kind move goods: notes at once, invoices on posting. */
export function movesGoods(kind: DocumentKind): boolean {
  return kind === 'delivery_note' || kind === 'invoice';
}

/** Whether documents of a kind begin as drafts without a number. */
export function beginsAsDraft(kind: DocumentKind): boolean {
  return kind === 'invoice' || kind === 'quotation';
}

/** Parses a document type by code (SO) or name (sales_order); undefined if it is neither. */
export function parseDocType(text: string): DocType | undefined {
  return DOC_TYPES.find((code) => code === text || DOCUMENT_TYPES[code].name === text);
}

/** Type codes by name: sales_order → SO. */
export const DOC_TYPE_NAMES: Readonly<Record<string, DocType>> = Object.fromEntries(
  DOC_TYPES.map((code) => [DOCUMENT_TYPES[code].name, code]),
);

/** `Sales invoice SINV2026-00017`; without a number, `Sales invoice draft`. */
export function documentTitle(docType: DocType, code: string | null | undefined): string {
  return `${typeTitle(docType)} ${code ?? 'draft'}`;
}

const SPANISH_TITLES: Readonly<Record<DocType, string>> = {
  SQ: 'Presupuesto',
  SO: 'Pedido de venta',
  SDN: 'Albarán de venta',
  SINV: 'Factura de venta',
  PR: 'Petición de oferta',
  PO: 'Pedido de compra',
  PDN: 'Albarán de compra',
  PINV: 'Factura de compra',
};

/** `Factura de venta` */
export function spanishTitle(docType: DocType): string {
  return SPANISH_TITLES[docType];
}

/** `Sales invoice` */
export function typeTitle(docType: DocType): string {
  const words = DOCUMENT_TYPES[docType].name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
