/** SEPA mandates and orders. */
import type { DebitScheme } from '../../../domain/bank/sepa/direct-debit.ts';
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

/** Kinds of orders; salaries are credit transfers whose file names employees. */
export const ORDER_KINDS = ['credit_transfers', 'direct_debits', 'salaries'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export class SepaMandate extends versionedTable('sepa_mandates', {
  partnerId: uuid(),
  reference: text(),
  signedOn: day(),
  scheme: text<DebitScheme>(),
  oneOff: flag(),
  iban: text(),
  bic: optional(text()),
  active: flag(),
}) {
  static override entityType = 'SepaMandate';
  static override access = 'partners:read' as const;
}

export class SepaOrder extends versionedTable('sepa_orders', {
  kind: text<OrderKind>(),
  messageId: text(),
  /** Name and version of the message, such as pain.001.001.03. */
  message: text(),
  bankAccountId: uuid(),
  date: day(),
  count: integer(),
  total: exact(),
  fileId: uuid(),
}) {
  static override entityType = 'SepaOrder';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'fileId'];
}

export class SepaOrderItem extends versionedTable('sepa_order_items', {
  orderId: uuid(),
  position: integer(),
  batch: integer(),
  endToEndId: text(),
  amount: exact(),
  paymentId: optional(uuid()),
  documentId: optional(uuid()),
  /** Number of the document's instalment, if it has several. */
  instalment: optional(integer()),
  mandateId: optional(uuid()),
}) {
  static override entityType = 'SepaOrderItem';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
}
