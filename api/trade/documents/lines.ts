/** Lists of the lines of all sales documents, and of all purchase documents. */
import { Type } from 'typebox';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition, ListField } from '../../../db/queries/list.ts';
import type { FieldType } from '../../../db/queries/list-values.ts';
import type { ListSource } from '../../../db/queries/run-list.ts';
import {
  DOC_TYPE_NAMES,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentSide,
} from '../../../domain/trade/documents/types.ts';
import {
  amount,
  choice,
  day,
  flag,
  integer,
  membersIf,
  nullable,
  quantity,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { canRead } from '../../../services/platform/visibility/reading.ts';
import { countLines } from '../../../services/trade/lines/count.ts';
import {
  docTypesOnSide,
  LINES_FROM,
  lineColumns,
  listedLineToJson,
  OPEN,
  selectedColumns,
} from '../../../services/trade/lines/list.ts';
import { searchLines } from '../../../services/trade/lines/search.ts';
import { listRoute } from '../../lists/list-route.ts';
import type { Route } from '../../route.ts';

/** The declaration of a list of lines. */
interface Lines {
  readonly side: DocumentSide;
  readonly path: string;
  readonly id: `list${string}`;
  readonly tag: string;
}

const SIDES: readonly Lines[] = [
  { side: 'sales', path: '/api/sales/lines', id: 'listSalesLines', tag: 'Sales' },
  { side: 'purchase', path: '/api/purchases/lines', id: 'listPurchaseLines', tag: 'Purchases' },
];

/** Members whose type does not follow from the end of their name. */
const TYPES: Readonly<Record<string, FieldType>> = {
  id: 'uuid',
  number: 'integer',
  lineNumber: 'integer',
  rectifying: 'boolean',
  date: 'date',
  price: 'number',
  discountPercent: 'number',
  secondDiscountPercent: 'number',
  documentDiscount: 'number',
  documentCharge: 'number',
  taxRate: 'number',
  surchargeRate: 'number',
  amount: 'number',
  companyAmount: 'number',
  tax: 'number',
  cost: 'number',
  margin: 'number',
};

const SEARCHABLE = ['code', 'reference', 'supplierReference', 'partnerCode', 'partnerName', 'itemCode', 'itemName'];

function fieldType(member: string): FieldType {
  if (member.endsWith('Id')) return 'uuid';
  return TYPES[member] ?? (/quantity$/i.test(member) ? 'number' : 'text');
}

/** The list definition: newest documents first, with the lines of each in order. */
function lineList(side: DocumentSide): ListDefinition {
  const types = docTypesOnSide(side);
  const names = Object.keys(DOC_TYPE_NAMES).filter((name) => types.includes(DOC_TYPE_NAMES[name] as DocType));
  const fields = Object.entries(lineColumns(side)).map(([member, column]): [string, ListField] => [
    member,
    {
      type: fieldType(member),
      column,
      searchable: [...SEARCHABLE, 'description'].includes(member),
      ...(member === 'openQuantity' ? { aboveZero: OPEN } : {}),
    },
  ]);
  const { id, date, ...others } = Object.fromEntries(fields);
  return {
    fields: {
      id: { ...(id as ListField), sortable: false },
      ...others,
      docType: { type: 'choice', column: 'd.doc_type', choices: [...types, ...names], synonyms: DOC_TYPE_NAMES },
      status: { type: 'choice', column: 'd.status', choices: DOCUMENT_STATUSES },
      date: { ...(date as ListField), notNull: true },
    },
    defaultSort: '-date,-code,lineNumber',
    key: 'l.id',
  };
}

function lineRow(side: DocumentSide) {
  return Type.Object(
    {
      id: uuid(),
      docType: choice(docTypesOnSide(side)),
      documentId: uuid(),
      number: nullable(integer()),
      code: nullable(text()),
      status: choice(DOCUMENT_STATUSES),
      rectifying: flag({ description: 'Whether its document is a rectifying invoice' }),
      date: day(),
      reference: nullable(text()),
      ...membersIf(side === 'purchase', { supplierReference: nullable(text()) }),
      partnerId: uuid(),
      partnerCode: text(),
      partnerName: text(),
      lineNumber: integer(),
      itemId: nullable(uuid()),
      itemCode: nullable(text()),
      itemName: nullable(text()),
      description: text(),
      warehouseId: nullable(uuid()),
      projectId: nullable(uuid({ description: "The line's, or else the document's" })),
      costCenterId: nullable(uuid({ description: "The line's, or else the document's" })),
      quantity: quantity({ description: 'Negative if taken back' }),
      uomId: nullable(uuid()),
      baseQuantity: quantity({ description: "The quantity in the item's own unit" }),
      price: amount(),
      discountPercent: amount(),
      secondDiscountPercent: amount(),
      documentDiscount: amount(),
      documentCharge: amount(),
      amount: amount({ description: 'Net of tax, after all discounts' }),
      currency: text({ description: 'Currency of price, amount and tax' }),
      companyAmount: amount({ description: "The amount in the company's currency" }),
      taxGroupId: uuid(),
      taxRate: amount(),
      surchargeRate: amount({ description: 'Percentage of the equivalence surcharge' }),
      tax: amount({ description: 'VAT and surcharge, rounded for this line; documents round once for each rate' }),
      ...membersIf(side === 'sales', {
        cost: nullable(
          amount({
            description:
              "Cost of the goods by the item's costMethod, including later settlements; 0 for services; null until they have left",
          }),
        ),
        margin: nullable(amount({ description: 'companyAmount minus cost' })),
      }),
      ...membersIf(side === 'purchase', {
        cost: amount({ description: "companyAmount plus the tax that cannot be deducted, in the company's currency" }),
      }),
      deliveredQuantity: quantity(),
      invoicedQuantity: quantity(),
      returnedQuantity: quantity(),
      openQuantity: quantity({
        description: 'Quantity that can still be delivered or invoiced; 0 once the document is cancelled',
      }),
    },
    { title: side === 'sales' ? 'SalesLine' : 'PurchaseLine' },
  );
}

/**
 * The lines of documents of some types of a side. The types are written into the statement, not bound, so that the
 * side's index by day is used.
 */
function lineSource(side: DocumentSide, docTypes: readonly DocType[]): ListSource {
  const where = [fragment(`d.doc_type in (${docTypes.map((docType) => `'${docType}'`).join(', ')})`)];
  const [count, search] = [countLines(docTypes), searchLines(docTypes)];
  return { from: LINES_FROM, where, columns: selectedColumns(side), count, search };
}

export const routes: Route[] = SIDES.map(({ side, path, id, tag }) => {
  const types = docTypesOnSide(side);
  const [invoices] = types.filter((docType) => DOCUMENT_TYPES[docType].kind === 'invoice') as [DocType];
  return listRoute({
    path,
    id,
    summary: `Lines of all ${tag.toLowerCase()} documents`,
    description:
      'Lines of orders, delivery notes and invoices, if the caller may read each of these; newest documents first.',
    tag,
    access: `${DOCUMENT_TYPES[invoices].resource}:read`,
    list: lineList(side),
    row: lineRow(side),
    references: { taxGroupId: 'taxes' },
    rows: ({ caller }) => ({
      ...lineSource(
        side,
        types.filter((docType) => canRead(caller.permissions, DOCUMENT_TYPES[docType].entityType)),
      ),
      toJson: listedLineToJson,
    }),
  });
});
