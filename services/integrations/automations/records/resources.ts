/** Records that a scheduled rule can act on, with the list of each resource. */
import type { ListDefinition } from '../../../../db/queries/list.ts';
import type { Permission } from '../../../../domain/permissions.ts';
import type { CustomFieldTable } from '../../../../domain/records/custom-fields.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { PaymentDirection } from '../../../../domain/trade/payments/types.ts';
import { items } from '../../../records/master-data/items.ts';
import { partners } from '../../../records/master-data/partners.ts';
import type { ResourceDeclaration } from '../../../records/resources/declaration.ts';
import { listDefinition } from '../../../records/resources/fields.ts';
import { documentList } from '../../../trade/documents/list.ts';
import { HEAD_FROM } from '../../../trade/documents/read.ts';
import { paymentList } from '../../../trade/payments/list.ts';
import { PAYMENT_FROM } from '../../../trade/payments/payment.ts';

export interface RecordResource {
  /** The member of a rule's data that it becomes. */
  readonly subject: 'document' | 'payment' | 'partner' | 'item';
  /** Only for documents. */
  readonly docType?: DocType;
  /** Permission to read them. */
  readonly permission: Permission;
  readonly list: ListDefinition;
  readonly from: string;
  /** SQL condition that all of them fulfil. */
  readonly where: string;
  readonly customFields?: CustomFieldTable | undefined;
}

/** By the name of the resource. */
export const RECORDS: Readonly<Record<string, RecordResource>> = {
  ...Object.fromEntries(DOC_TYPES.map((docType) => [DOCUMENT_TYPES[docType].resource, documents(docType)])),
  received_payments: payments('in'),
  made_payments: payments('out'),
  partners: masterData('partner', partners),
  items: masterData('item', items),
};

/** Finds the resource that a rule names. */
export function recordResource(name: string): RecordResource {
  const found = Object.hasOwn(RECORDS, name) ? RECORDS[name] : undefined;
  if (found === undefined) throw new Error(`rules know no records of ${name}`);
  return found;
}

function documents(docType: DocType): RecordResource {
  const { resource, entityType } = DOCUMENT_TYPES[docType];
  return {
    subject: 'document',
    docType,
    permission: `${resource}:read`,
    list: documentList(docType),
    from: HEAD_FROM,
    where: `d.doc_type = '${docType}'`,
    customFields: entityType,
  };
}

function payments(direction: PaymentDirection): RecordResource {
  return {
    subject: 'payment',
    permission: `payments_${direction}:read`,
    list: paymentList,
    from: PAYMENT_FROM,
    where: `p.direction = '${direction}' and p.payment_method <> 'offset'`,
  };
}

function masterData(subject: 'partner' | 'item', declared: ResourceDeclaration): RecordResource {
  const table = declared.model.tableName;
  return {
    subject,
    permission: `${declared.permission}:read`,
    list: { ...listDefinition(declared), key: `${table}.id` },
    from: table,
    where: 'true',
    customFields: declared.customFields,
  };
}
