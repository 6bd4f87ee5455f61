/** JSON Schemas of events' data. Later versions may add members; none is removed. */
import { Type } from 'typebox';
import { CUSTOM } from '../../grants.ts';
import { NOTIFICATION_TYPES } from '../../messages/notifications/types.ts';
import { ROLES } from '../../permissions.ts';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../../trade/documents/types.ts';
import { CANCELLATION_STATUSES, SUBMISSION_STATUSES } from '../../trade/einvoice/face/statuses.ts';
import { DEBT_NAMES, PAYMENT_METHODS } from '../../trade/payments/types.ts';

const uuid = (description?: string) => Type.String({ format: 'uuid', ...(description ? { description } : {}) });
const text = (description?: string) => Type.String(description ? { description } : {});
const number = (description?: string) => Type.Number(description ? { description } : {});
const day = (description?: string) => Type.String({ format: 'date', ...(description ? { description } : {}) });
const instant = () => Type.String({ format: 'date-time' });
const list = (items: string, description: string) => Type.Array(Type.Unsafe({ type: items }), { description });

function orNull(schema: { type?: string }, description?: string) {
  return Type.Unsafe({ ...schema, type: [schema.type, 'null'], ...(description ? { description } : {}) });
}

function words(choices: readonly string[], description?: string) {
  return Type.Unsafe<string>({ type: 'string', enum: [...choices], ...(description ? { description } : {}) });
}

const DOCUMENT_NAMES = Object.values(DOCUMENT_TYPES).map(({ name }) => name);
const STATUS = words(DOCUMENT_STATUSES, 'D draft, O open or posted, P partial, C closed, X cancelled');
const CURRENCY = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' });

const documentMembers = {
  document_type: words(DOCUMENT_NAMES),
  document_id: uuid(),
  series: text('Prefix of its series'),
  number: orNull(Type.Integer(), 'null for a draft'),
  partner_id: uuid(),
  partner_name: text(),
  project_id: orNull(uuid(), 'Project of the document; lines may have others'),
  cost_center_id: orNull(uuid(), 'Cost center of the document; lines may have others'),
  total: number('With taxes, in the currency'),
  currency: CURRENCY,
  status: STATUS,
  created_by: orNull(uuid()),
  created_at: instant(),
};

const changedFields = list('string', 'Changed members of the document, by their names in the REST API');

/** document.created and document.deleted. */
export const documentData = Type.Object(documentMembers);

/** The other events of documents: what has changed. */
export const changedDocumentData = Type.Object({
  ...documentMembers,
  changed_fields: changedFields,
  previous_status: Type.Optional(words(DOCUMENT_STATUSES, 'The previous state, if the event changed it')),
});

/** document.sent. */
export const sentDocumentData = Type.Object({
  ...documentMembers,
  changed_fields: changedFields,
  to: text('E-mail addresses, separated by commas'),
  subject: Type.Optional(text('Text of the mail')),
  body: Type.Optional(text('Text of the mail')),
});

const linkedMembers = {
  type: words(DEBT_NAMES, 'open_item: of a journal entry'),
  id: uuid(),
  new_status: words(['pending', 'partial', 'paid', 'overpaid'], 'The current payment status'),
};

/** payment.received and payment.made. */
export const paymentData = Type.Object({
  payment_id: uuid(),
  partner_id: uuid(),
  partner_name: text(),
  amount: number(),
  currency: CURRENCY,
  payment_date: day(),
  payment_method: words(PAYMENT_METHODS),
  reference: orNull(text()),
  linked_document: orNull(Type.Object(linkedMembers), 'The first of the documents that it pays; null for none'),
  linked_documents: Type.Array(Type.Object({ ...linkedMembers, amount_applied: number() })),
  created_by: orNull(uuid()),
});

/** payment.registered, which covers both directions. */
export const registeredPaymentData = Type.Object({
  payment_id: uuid(),
  type: words(['in', 'out'], 'in: received from a customer; out: paid to a supplier'),
  partner_id: uuid(),
  amount: number(),
  payment_date: day(),
  linked_documents: Type.Array(
    Type.Object({
      document_type: linkedMembers.type,
      document_id: uuid(),
      new_document_status: linkedMembers.new_status,
    }),
  ),
});

export const stockMovementData = Type.Object({
  movement_id: uuid(),
  item_id: uuid(),
  item_code: text(),
  warehouse_id: uuid(),
  zone_id: orNull(uuid(), 'The bin; null for the warehouse itself'),
  batch_num: orNull(text()),
  quantity: number("In the item's own unit; negative for goods that leave"),
  balance: number('On hand at this place (warehouse, bin, batch) afterwards'),
  document_type: words(
    [...DOCUMENT_NAMES, 'stock_adjustment', 'stock_transfer', 'stock_assembly'],
    'Type of the source of the movement',
  ),
  document_id: uuid(),
});

export const stockLowData = Type.Object({
  item_id: uuid(),
  code: text(),
  name: text(),
  warehouse_id: uuid('The warehouse that the goods left'),
  stock: number('On hand in all warehouses'),
  min_stock: number("The item's minimum, which the stock has just fallen below"),
});

/** verifactu.accepted and verifactu.rejected. */
export const verifactuData = Type.Object({
  record_id: uuid('Id in /api/verifactu/records'),
  document_id: uuid('The sales invoice'),
  kind: words(['registration', 'annulment']),
  number: text('Series and number of the invoice'),
  status: words(['accepted', 'accepted_with_errors', 'rejected']),
  csv: orNull(text(), 'Code by which the agency can verify that it has the record'),
  error_code: orNull(text(), 'Number of the error at the agency; null for none'),
  error_text: orNull(text(), "The agency's own words"),
});

/** facturae.sent, facturae.refused and facturae.updated. */
export const facturaeData = Type.Object({
  submission_id: uuid('Id in /api/face/submissions'),
  document_id: uuid('The sales invoice'),
  number: text('Series and number of the invoice'),
  status: words(SUBMISSION_STATUSES),
  registry_code: orNull(text(), 'Number under which FACe has it'),
  code: orNull(number(), 'Number of its state at FACe'),
  comment: orNull(text(), 'What the public body says of its state'),
  cancellation: Type.Unsafe({
    type: ['string', 'null'],
    enum: [...CANCELLATION_STATUSES, null],
    description: 'The request to cancel it; null for none',
  }),
  error_code: orNull(text(), 'Code of what FACe objects to; null for nothing'),
  error_text: orNull(text(), "FACe's own words"),
});

export const userData = Type.Object({
  user_id: uuid(),
  email: text(),
  name: text(),
  role: words([...Object.keys(ROLES), CUSTOM], 'In this company'),
});

export const automationData = Type.Object({
  automation_id: uuid(),
  name: text(),
  trigger: text('The type of its trigger, such as document.status_changed or schedule.cron'),
  document_id: orNull(uuid(), 'The document that it ran for; null for none'),
  status: words(['success', 'partial', 'failed', 'skipped', 'cancelled']),
});

export const notificationData = Type.Object({
  notification_id: uuid(),
  type: words(NOTIFICATION_TYPES),
  title: text(),
  body: text(),
  user_id: uuid('Whom it is for'),
  tenant_id: uuid(),
});

/** plugin.installed and plugin.error. */
export const pluginData = Type.Object({
  plugin_id: text(),
  name: text(),
  version: text(),
  error: orNull(text(), 'Reason of the failure in words; null on success'),
});
