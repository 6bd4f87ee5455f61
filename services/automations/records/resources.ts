/** Records that a rule by the clock can act on, each as in the list of its resource. */
import type { ListDefinition } from '../../../db/queries/list.ts';
import type { CustomFieldTable } from '../../../domain/custom-fields.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/documents/types.ts';
import type { PaymentDirection } from '../../../domain/payments/types.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { documentList } from '../../documents/list.ts';
import { HEAD_FROM } from '../../documents/read.ts';
import { items } from '../../master-data/items.ts';
import { partners } from '../../master-data/partners.ts';
import { paymentList } from '../../payments/list.ts';
import { PAYMENT_FROM } from '../../payments/payment.ts';
import type { ResourceDeclaration } from '../../resources/declaration.ts';
import { listDefinition } from '../../resources/fields.ts';

export interface RecordResource {
  /** What of a rule's data it becomes. */
  readonly subject: 'document' | 'payment' | 'partner' | 'item';
  /** Of documents. */
  readonly docType?: DocType;
  /** Who may read them. */
  readonly permission: Permission;
  readonly list: ListDefinition;
  readonly from: string;
  /** SQL of what all of them fulfil. */
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

/** The resource that a rule names. */
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
