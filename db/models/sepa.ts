/** SEPA mandates and orders. */
import type { DebitScheme } from '../../domain/sepa/direct-debit.ts';
import { TenantModel } from './base.ts';

export const ORDER_KINDS = ['credit_transfers', 'direct_debits'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export class SepaMandate extends TenantModel {
  static override tableName = 'sepa_mandates';
  static override entityType = 'SepaMandate';
  declare partnerId: string;
  declare reference: string;
  declare signedOn: string;
  declare scheme: DebitScheme;
  declare oneOff: boolean;
  declare iban: string;
  declare bic: string | null;
  declare active: boolean;
}

export class SepaOrder extends TenantModel {
  static override tableName = 'sepa_orders';
  static override entityType = 'SepaOrder';
  static override naming = 'snake_case' as const;
  static override decimals: readonly string[] = ['total'];
  static override hidden: readonly string[] = ['tenantId', 'fileId'];
  declare kind: OrderKind;
  declare messageId: string;
  /** Name and version of the message, as pain.001.001.03. */
  declare message: string;
  declare bankAccountId: string;
  declare date: string;
  declare count: number;
  declare total: string;
  declare fileId: string;
}

export class SepaOrderItem extends TenantModel {
  static override tableName = 'sepa_order_items';
  static override entityType = 'SepaOrderItem';
  static override naming = 'snake_case' as const;
  static override decimals: readonly string[] = ['amount'];
  declare orderId: string;
  declare position: number;
  declare batch: number;
  declare endToEndId: string;
  declare amount: string;
  declare paymentId: string | null;
  declare documentId: string | null;
  declare mandateId: string | null;
}
