/** SQL for lists of the lines of all sales or all purchases, each with data of its document. */
import { companyCost, inCompany } from '../../../db/queries/company-amounts.ts';
import { costOfGoods } from '../../../db/queries/cost-of-goods.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { type Decimal, decimal, roundedNumber, toNumber } from '../../../domain/money.ts';
import {
  DOC_TYPES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentSide,
  type DocumentStatus,
} from '../../../domain/trade/documents/types.ts';
import { amountPlaces, PLACES, QUANTITY_PLACES } from '../../platform/settings/format.ts';
import { THROUGH_NOTES } from '../documents/read.ts';

/** The document types of a side whose lines are listed. Those of quotations promise nothing yet. */
export function docTypesOnSide(side: DocumentSide): DocType[] {
  return DOC_TYPES.filter((docType) => {
    const type = DOCUMENT_TYPES[docType];
    return type.side === side && type.kind !== 'quotation';
  });
}

/**
 * `l` is the line, `d` its document. PostgreSQL omits left joins whose columns are not used, as when rows are counted.
 */
export const LINES_FROM = `document_lines l join documents d on d.id = l.document_id
  left join series s on s.id = d.series_id left join partners p on p.id = d.partner_id left join items i on i.id = l.item_id`;

/** Project and cost center of a line, otherwise of its document. */
export const LINE_PROJECT = 'coalesce(l.project_id, d.project_id)';
export const LINE_COST_CENTER = 'coalesce(l.cost_center_id, d.cost_center_id)';

/** VAT and surcharge, rounded per line; a document rounds once per rate. */
const TAX = `round(l.amount * (l.tax_rate + l.surcharge_rate) / 100, ${PLACES})`;

/** Same as `openQuantity` in domain/trade/documents/progress.ts, but zero for cancelled documents. */
const OPEN_QUANTITY = `case when d.status = ${STATE.cancelled} then 0
    when d.doc_type in ('SO', 'PO') then greatest(0, l.quantity - l.delivered_quantity - l.invoiced_quantity - l.closed_quantity)
    when d.doc_type in ('SDN', 'PDN') then greatest(0, l.quantity - l.invoiced_quantity - l.returned_quantity - l.closed_quantity)
    else 0 end`;

/** Lines that can have an open quantity: invoices have no follow-ups, and documents with nothing open are closed. */
export const OPEN = `d.doc_type in ('SO', 'SDN', 'PO', 'PDN') and d.status in (${STATE.open}, ${STATE.partial})`;

/** Whether the goods of a sales line have left: not for orders, drafts and cancelled documents. */
const GOODS_LEFT = `(d.doc_type <> 'SO' and d.status not in (${STATE.draft}, ${STATE.cancelled}))`;

/**
 * For sales: the cost of the goods, null until they leave. For purchases: the amount with the tax that cannot be
 * deducted.
 */
const COST: Readonly<Record<DocumentSide, string>> = {
  sales: `case when ${GOODS_LEFT} then ${costOfGoods(PLACES)} end`,
  purchase: companyCost('l'),
};

const MARGIN = `(${inCompany('l', 'amount')} - ${COST.sales})`;

/** SQL expressions of a line's members, by name. */
export function lineColumns(side: DocumentSide) {
  return {
    id: 'l.id',
    docType: 'd.doc_type',
    documentId: 'd.id',
    number: 'd.number',
    code: 'd.code',
    status: 'd.status',
    rectifying: 's.rectifying',
    date: 'd.date',
    reference: 'd.reference',
    ...(side === 'purchase' ? { supplierReference: 'd.supplier_reference' } : {}),
    partnerId: 'd.partner_id',
    partnerCode: 'p.code',
    partnerName: 'p.name',
    lineNumber: 'l.line_number',
    itemId: 'l.item_id',
    itemCode: 'i.code',
    itemName: 'i.name',
    description: 'l.description',
    warehouseId: 'l.warehouse_id',
    projectId: LINE_PROJECT,
    costCenterId: LINE_COST_CENTER,
    quantity: 'l.quantity',
    uomId: 'l.uom_id',
    baseQuantity: 'l.base_quantity',
    price: 'l.price',
    discountPercent: 'l.discount_percent',
    secondDiscountPercent: 'l.second_discount_percent',
    documentDiscount: 'l.document_discount',
    documentCharge: 'l.document_charge',
    amount: 'l.amount',
    currency: 'd.currency',
    companyAmount: inCompany('l', 'amount'),
    taxGroupId: 'l.tax_group_id',
    taxRate: 'l.tax_rate',
    surchargeRate: 'l.surcharge_rate',
    tax: TAX,
    cost: COST[side],
    ...(side === 'sales' ? { margin: MARGIN } : {}),
    deliveredQuantity: 'l.delivered_quantity',
    invoicedQuantity: `(l.invoiced_quantity + (${THROUGH_NOTES.invoiced})::numeric)`,
    returnedQuantity: `(l.returned_quantity + (${THROUGH_NOTES.returned})::numeric)`,
    openQuantity: OPEN_QUANTITY,
  } as const;
}

/** Columns that a list selects. The margin follows from cost and amount, and is not computed twice. */
export function selectedColumns(side: DocumentSide): string[] {
  const { margin: _, ...columns } = lineColumns(side);
  return [
    ...Object.entries(columns).map(([member, sql]) => `${sql} as "${member}"`),
    `${amountPlaces('d')} as "decimalPrecision"`,
    `${PLACES} as "companyPlaces"`,
    `${QUANTITY_PLACES} as "quantityPrecision"`,
  ];
}

/** A line as selected. */
export interface ListedLine {
  readonly id: string;
  readonly docType: DocType;
  readonly documentId: string;
  readonly number: number | null;
  readonly code: string | null;
  readonly status: DocumentStatus;
  readonly rectifying: boolean;
  readonly date: string;
  readonly reference: string | null;
  readonly supplierReference?: string | null;
  readonly partnerId: string;
  readonly partnerCode: string;
  readonly partnerName: string;
  readonly lineNumber: number;
  readonly itemId: string | null;
  readonly itemCode: string | null;
  readonly itemName: string | null;
  readonly description: string;
  readonly warehouseId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly quantity: Decimal;
  readonly uomId: string | null;
  readonly baseQuantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  readonly secondDiscountPercent: Decimal;
  readonly documentDiscount: Decimal;
  readonly documentCharge: Decimal;
  readonly amount: Decimal;
  readonly currency: string;
  /** In the company's currency, like cost and margin. */
  readonly companyAmount: Decimal;
  readonly taxGroupId: string;
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  readonly tax: Decimal;
  readonly cost: Decimal | null;
  readonly deliveredQuantity: Decimal;
  readonly invoicedQuantity: Decimal;
  readonly returnedQuantity: Decimal;
  readonly openQuantity: Decimal;
  readonly decimalPrecision: number;
  readonly companyPlaces: number;
  readonly quantityPrecision: number;
}

/** A line of a list as clients see it. */
export function listedLineToJson({ decimalPrecision, companyPlaces, quantityPrecision, ...row }: ListedLine) {
  const money = (value: Decimal) => roundedNumber(value, decimalPrecision);
  const quantity = (value: Decimal) => roundedNumber(value, quantityPrecision);
  const companyMoney = (value: Decimal) => roundedNumber(value, companyPlaces);
  const cost = row.cost === null ? null : companyMoney(row.cost);
  const margin = row.cost === null ? null : companyMoney(decimal(row.companyAmount).minus(row.cost).toFixed());
  return {
    ...row,
    quantity: quantity(row.quantity),
    baseQuantity: toNumber(row.baseQuantity),
    price: toNumber(row.price),
    discountPercent: toNumber(row.discountPercent),
    secondDiscountPercent: toNumber(row.secondDiscountPercent),
    documentDiscount: money(row.documentDiscount),
    documentCharge: money(row.documentCharge),
    amount: money(row.amount),
    companyAmount: companyMoney(row.companyAmount),
    taxRate: toNumber(row.taxRate),
    surchargeRate: toNumber(row.surchargeRate),
    tax: money(row.tax),
    cost,
    ...(DOCUMENT_TYPES[row.docType].side === 'sales' ? { margin } : {}),
    deliveredQuantity: quantity(row.deliveredQuantity),
    invoicedQuantity: quantity(row.invoicedQuantity),
    returnedQuantity: quantity(row.returnedQuantity),
    openQuantity: quantity(row.openQuantity),
  };
}
