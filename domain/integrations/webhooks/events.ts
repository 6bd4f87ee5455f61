/**
 * The catalogue of events: each with its meaning, the JSON Schema of its data and a sample. Subscriptions and documentation are derived
 * from it, and tests check every emitted event against it.
 */
import type { TSchema } from 'typebox';
import { type Permission, READ_PERMISSIONS } from '../../permissions.ts';
import { DOC_TYPES, DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../trade/documents/types.ts';
import * as schemas from './event-schemas.ts';

export interface EventKind {
  readonly description: string;
  /** The `data` in the envelope. */
  readonly schema: TSchema;
  /** Data that fits the schema. */
  readonly sample: Readonly<Record<string, unknown>>;
}

const ID = {
  document: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e01',
  partner: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e02',
  user: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e03',
  payment: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e04',
  movement: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e05',
  item: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e06',
  warehouse: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e07',
  automation: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e08',
  notification: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e09',
  tenant: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e0a',
  record: '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e0b',
} as const;

const draft = {
  document_type: 'sales_invoice',
  document_id: ID.document,
  series: 'F26',
  number: null,
  partner_id: ID.partner,
  partner_name: 'Ferretería Robles SL',
  project_id: null,
  cost_center_id: null,
  total: 121,
  currency: 'EUR',
  status: DOCUMENT_STATUS.draft,
  created_by: ID.user,
  created_at: '2026-03-02T09:30:00.000Z',
};
const posted = { ...draft, number: 17, status: DOCUMENT_STATUS.open };

const payment = {
  payment_id: ID.payment,
  partner_id: ID.partner,
  partner_name: 'Ferretería Robles SL',
  amount: 121,
  currency: 'EUR',
  payment_date: '2026-03-16',
  payment_method: 'transfer',
  reference: 'F26/17',
  linked_document: { type: 'sales_invoice', id: ID.document, new_status: 'paid' },
  linked_documents: [{ type: 'sales_invoice', id: ID.document, new_status: 'paid', amount_applied: 121 }],
  created_by: ID.user,
};
const bill = { type: 'purchase_invoice', id: ID.document, new_status: 'partial' };

const record = {
  record_id: ID.record,
  document_id: ID.document,
  kind: 'registration',
  number: 'F26/17',
  status: 'accepted',
  csv: 'A-7QWERTY2026000',
  error_code: null,
  error_text: null,
};

const submission = {
  submission_id: ID.record,
  document_id: ID.document,
  number: 'F26/17',
  status: 'registered',
  registry_code: '202600012345',
  code: 1200,
  comment: null,
  cancellation: null,
  error_code: null,
  error_text: null,
};

const user = { user_id: ID.user, email: 'ana@example.com', name: 'Ana Prado', role: 'sales' };
const plugin = { plugin_id: 'label-printer', name: 'Label printer', version: '1.4.0', error: null };

const CATALOGUE = {
  'document.created': {
    description: 'A document was created: an invoice as a draft, the others open',
    schema: schemas.documentData,
    sample: draft,
  },
  'document.updated': {
    description: 'A document was changed, also as a consequence of others: deliveries, invoices, payments',
    schema: schemas.changedDocumentData,
    sample: {
      ...posted,
      status: DOCUMENT_STATUS.closed,
      changed_fields: ['paidTotal', 'paymentStatus', 'status'],
      previous_status: DOCUMENT_STATUS.open,
    },
  },
  'document.deleted': { description: 'A document was deleted', schema: schemas.documentData, sample: draft },
  'document.sent': {
    description: 'A document was sent by e-mail',
    schema: schemas.sentDocumentData,
    sample: { ...posted, changed_fields: ['sentAt'], to: 'compras@robles.example' },
  },
  'document.locked': {
    description:
      'An invoice was posted, with `previous_status`, or a rule has locked a document: it cannot be changed any more',
    schema: schemas.changedDocumentData,
    sample: {
      ...posted,
      changed_fields: ['status', 'number', 'code', 'postedAt'],
      previous_status: DOCUMENT_STATUS.draft,
    },
  },
  'document.cancelled': {
    description: 'A document was cancelled',
    schema: schemas.changedDocumentData,
    sample: {
      ...posted,
      status: DOCUMENT_STATUS.cancelled,
      changed_fields: ['status', 'cancelledAt'],
      previous_status: DOCUMENT_STATUS.open,
    },
  },
  'payment.received': {
    description: 'A payment from a customer was registered',
    schema: schemas.paymentData,
    sample: payment,
  },
  'payment.made': {
    description: 'A payment to a supplier was registered',
    schema: schemas.paymentData,
    sample: { ...payment, linked_document: bill, linked_documents: [{ ...bill, amount_applied: 121 }] },
  },
  'stock.movement': {
    description: 'Goods came in or left: one event for each movement',
    schema: schemas.stockMovementData,
    sample: {
      movement_id: ID.movement,
      item_id: ID.item,
      item_code: 'TOR-M6',
      warehouse_id: ID.warehouse,
      zone_id: null,
      batch_num: 'L2603',
      quantity: -40,
      balance: 160,
      document_type: 'sales_delivery_note',
      document_id: ID.document,
    },
  },
  'stock.low': {
    description: 'The stock of an item has fallen below its minimum; sent once, until it has been above again',
    schema: schemas.stockLowData,
    sample: {
      item_id: ID.item,
      code: 'TOR-M6',
      name: 'Tornillo M6',
      warehouse_id: ID.warehouse,
      stock: 160,
      min_stock: 200,
    },
  },
  'verifactu.accepted': {
    description: 'The tax agency has stored the record of an invoice; with `error_code`, it wants it corrected',
    schema: schemas.verifactuData,
    sample: record,
  },
  'verifactu.rejected': {
    description: 'The tax agency has refused the record of an invoice',
    schema: schemas.verifactuData,
    sample: {
      ...record,
      status: 'rejected',
      csv: null,
      error_code: '1193',
      error_text: 'El NIF debe estar identificado',
    },
  },
  'facturae.sent': {
    description: 'FACe has registered an invoice to a public body',
    schema: schemas.facturaeData,
    sample: submission,
  },
  'facturae.refused': {
    description: 'FACe has refused an invoice; or it is not known whether it arrived (`uncertain`)',
    schema: schemas.facturaeData,
    sample: {
      ...submission,
      status: 'refused',
      registry_code: null,
      code: null,
      error_code: 'INVALID_INVOICE-104',
      error_text: 'content: INVALID_INVOICE-104 La firma no es válida',
    },
  },
  'facturae.updated': {
    description: 'A public body has accepted, paid, rejected or cancelled an invoice',
    schema: schemas.facturaeData,
    sample: { ...submission, status: 'accounted', code: 2400 },
  },
  'user.created': { description: 'A user joined the company, or was invited', schema: schemas.userData, sample: user },
  'user.deleted': {
    description: 'A user left the company, or their invitation ended',
    schema: schemas.userData,
    sample: user,
  },
  'automation.triggered': {
    description: 'An automation ran',
    schema: schemas.automationData,
    sample: {
      automation_id: ID.automation,
      name: 'Thank for large orders',
      trigger: 'document.created',
      document_id: ID.document,
      status: 'success',
    },
  },
  'notification.created': {
    description: 'A notification for a user was created',
    schema: schemas.notificationData,
    sample: {
      notification_id: ID.notification,
      type: 'document_locked',
      title: 'Invoice F26/17 was posted',
      body: 'Ferretería Robles SL, 121.00 EUR',
      user_id: ID.user,
      tenant_id: ID.tenant,
    },
  },
  'plugin.installed': { description: 'A plugin was installed', schema: schemas.pluginData, sample: plugin },
  'plugin.error': {
    description: 'A plugin failed',
    schema: schemas.pluginData,
    sample: { ...plugin, error: 'The printer does not answer' },
  },
  'payment.registered': {
    description: 'A payment was registered, received or made; only for webhooks registered with `event`',
    schema: schemas.registeredPaymentData,
    sample: {
      payment_id: ID.payment,
      type: 'in',
      partner_id: ID.partner,
      amount: 121,
      payment_date: '2026-03-16',
      linked_documents: [{ document_type: 'sales_invoice', document_id: ID.document, new_document_status: 'paid' }],
    },
  },
} as const satisfies Record<string, EventKind>;

export type EventName = keyof typeof CATALOGUE;
export const EVENT_CATALOGUE: Readonly<Record<EventName, EventKind>> = CATALOGUE;
export const EVENT_NAMES = Object.keys(CATALOGUE) as EventName[];

/** Exists only in the second form of registration; the underlying event is payment.received or payment.made. */
export const PAYMENT_REGISTERED = 'payment.registered';

export const NOTIFICATION_CREATED = 'notification.created';
export const AUTOMATION_TRIGGERED = 'automation.triggered';

/** Names that `events` may list, besides groups and all. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter((name) => name !== PAYMENT_REGISTERED);

/** Every event of the first form. */
export const ALL_EVENTS = '*';

/** Permissions of those who subscribe to events, by the first word of their names. Notifications may quote any record. */
const NEEDED: Readonly<Record<string, readonly Permission[]>> = {
  document: DOC_TYPES.map((type): Permission => `${DOCUMENT_TYPES[type].resource}:read`),
  payment: ['payments_in:read', 'payments_out:read'],
  stock: ['stock:read'],
  verifactu: ['tax_returns:read'],
  facturae: ['sales_invoices:read'],
  user: ['users:read'],
  automation: ['automations:read'],
  plugin: ['plugins:read'],
  notification: READ_PERMISSIONS,
};

/** The permissions to read what subscriptions tell. */
export function neededToHear(subscriptions: readonly string[]): Permission[] {
  const heard = EVENT_NAMES.filter((event) => subscriptionsTo(event).some((one) => subscriptions.includes(one)));
  return [...new Set(heard.flatMap((event) => NEEDED[event.slice(0, event.indexOf('.'))] ?? READ_PERMISSIONS))];
}

/** Whether a text names an event of the catalogue. */
export function isEventName(text: string): text is EventName {
  return Object.hasOwn(CATALOGUE, text);
}

/** Whether `events` may contain this: a known event, a known group (`document.*`) or all (`*`). */
export function isSubscription(text: string): boolean {
  if (text === ALL_EVENTS) return true;
  if (!text.endsWith('.*')) return text !== PAYMENT_REGISTERED && isEventName(text);
  const group = text.slice(0, -1);
  return group.length > 1 && WEBHOOK_EVENTS.some((event) => event.startsWith(group));
}

/** The first event of the catalogue covered by the first of a webhook's subscriptions. */
export function firstEvent(subscriptions: readonly string[]): EventName {
  const [first = ALL_EVENTS] = subscriptions;
  if (isEventName(first)) return first;
  const prefix = first === ALL_EVENTS ? '' : first.slice(0, -1);
  return WEBHOOK_EVENTS.find((event) => event.startsWith(prefix)) ?? 'document.created';
}

/** All ways to subscribe to an event: by name, by group, by all, and payments by payment.registered. */
export function subscriptionsTo(event: string): string[] {
  const group = `${event.slice(0, event.indexOf('.'))}.*`;
  const payment = event === 'payment.received' || event === 'payment.made';
  return [ALL_EVENTS, event, group, ...(payment ? [PAYMENT_REGISTERED] : [])];
}
