/** Converts a document to the input that would create it again. */
import { optionalNumber, sum } from '../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { DocumentInput, DocumentLineInput } from '../documents/schemas.ts';
import type { DocumentRow, LineRow, LoadedDocument } from '../documents/stored.ts';

/** The members of a head, with all decisions made explicit; without custom fields. */
export function toHeadInput(row: DocumentRow): Omit<DocumentInput, 'lines'> {
  return withoutNulls({
    partnerId: row.partner.id,
    warehouseId: row.warehouseId,
    notes: row.notes,
    billingAddress: row.billingAddress,
    shippingAddress: row.shippingAddress,
    discountPercent: optionalNumber(row.discountPercent),
    discountAmount: optionalNumber(row.discountAmount),
    ...chargeMembers(row),
    currency: row.currency,
    vatRegime: row.vatRegime,
    withholdingRate: Number(row.withholdingRate),
    projectId: row.projectId,
    costCenterId: row.costCenterId,
    salespersonId: row.salespersonId,
    paymentTermsId: row.paymentTermsId,
  });
}

/** A charge of the head; the name alone, of one that lines took along, is none. */
function chargeMembers({ chargeAmount, chargeText }: DocumentRow) {
  return { chargeAmount: optionalNumber(chargeAmount), chargeText: chargeAmount === null ? null : chargeText };
}

/** A line with its price, tax and unit; without base and picked batches. */
export function toLineInput(row: DocumentRow, line: LineRow): DocumentLineInput {
  const incoming = DOCUMENT_TYPES[row.docType].direction > 0;
  return withoutNulls({
    itemId: line.itemId,
    description: line.description,
    quantity: Number(line.quantity),
    ...(line.priceWithTax === null ? { price: Number(line.price) } : { priceWithTax: Number(line.priceWithTax) }),
    discountPercent: Number(line.discountPercent),
    secondDiscountPercent: Number(line.secondDiscountPercent),
    taxGroupId: line.taxGroupId,
    warehouseId: line.warehouseId,
    zoneId: line.zoneId,
    uomId: line.uomId,
    uomFactor: line.uomId === null ? null : Number(line.uomFactor),
    batchDetails: incoming ? batchInputs(line) : null,
    vatRegime: line.vatRegime,
    vatUse: line.vatUse,
    withholdingRate: optionalNumber(line.withholdingRate),
    deductiblePercent: optionalNumber(line.deductiblePercent),
    accountId: line.accountId,
    projectId: line.projectId,
    costCenterId: line.costCenterId,
    salespersonId: line.salespersonId,
    commissionPercent: optionalNumber(line.commissionPercent),
    marginCost: line.marginCost === null ? null : Math.abs(Number(line.marginCost)),
    serviceFrom: line.serviceFrom,
    serviceTo: line.serviceTo,
    pluginData: line.pluginData,
  });
}

/** A line including its base and the batches named by the client. */
export function toFullLineInput(row: DocumentRow, line: LineRow): DocumentLineInput {
  return {
    ...toLineInput(row, line),
    ...withoutNulls({
      batchDetails: batchInputs(line),
      allowExpired: line.allowExpired,
      baseType: line.baseType,
      baseId: line.baseId,
      baseLineId: line.baseLineId,
    }),
  };
}

/** The discount and the charge that the lines take along from others, of a document that is made again without those; else the head's. */
export function withTakenShares({ row, lines }: LoadedDocument): Omit<DocumentInput, 'lines'> {
  const head = toHeadInput(row);
  const taken = (member: 'documentDiscount' | 'documentCharge') => sum(lines.map((line) => line[member]));
  const [discount, charge] = [taken('documentDiscount'), taken('documentCharge')];
  const givesDiscount = head.discountPercent !== undefined || head.discountAmount !== undefined;
  return {
    ...head,
    ...(givesDiscount || !discount.gt(0) ? {} : { discountAmount: Number(discount.toFixed()) }),
    ...(head.chargeAmount !== undefined || !charge.gt(0)
      ? {}
      : withoutNulls({ chargeAmount: Number(charge.toFixed()), chargeText: row.chargeText })),
  };
}

function batchInputs({ batchDetails }: LineRow) {
  return batchDetails?.map((batch) => ({ ...batch, quantity: Number(batch.quantity) })) ?? null;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], null> };

function withoutNulls<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Present<T>;
}

/** Members that the head copies from its base; with several bases, only those they have in common. */
export function carriedHead(
  base: LoadedDocument,
  all: readonly LoadedDocument[] = [base],
): Omit<DocumentInput, 'lines'> {
  const { row } = base;
  const shared = <T>(member: (document: LoadedDocument) => T): T | undefined => {
    const value = member(base);
    const same = all.every((document) => JSON.stringify(member(document)) === JSON.stringify(value));
    return same && value !== null ? value : undefined;
  };
  const values = {
    warehouseId: shared((document) => document.row.warehouseId),
    reference: shared((document) => document.row.reference),
    billingAddress: shared((document) => document.row.billingAddress),
    shippingAddress: shared((document) => document.row.shippingAddress),
    projectId: shared((document) => document.row.projectId),
    costCenterId: shared((document) => document.row.costCenterId),
    salespersonId: shared((document) => document.row.salespersonId),
  };
  return { partnerId: row.partner.id, ...withoutUndefined(values) } as Omit<DocumentInput, 'lines'>;
}

/** Leaves out the members that are undefined. */
export function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
