/** Statements of bank accounts and their lines. */
import { TenantModel } from './base.ts';

export const LINE_STATUSES = ['open', 'matched', 'ignored'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export class BankStatement extends TenantModel {
  static override tableName = 'bank_statements';
  static override entityType = 'BankStatement';
  static override naming = 'snake_case' as const;
  static override decimals: readonly string[] = ['openingBalance', 'closingBalance'];
  static override hidden: readonly string[] = ['tenantId', 'fingerprint'];
  declare bankAccountId: string;
  declare format: string;
  declare fileName: string | null;
  declare reference: string | null;
  declare currency: string;
  declare fromDate: string;
  declare toDate: string;
  declare openingBalance: string | null;
  declare closingBalance: string | null;
  declare fingerprint: string;
  declare lineCount: number;
  declare newLineCount: number;
}

export class BankStatementLine extends TenantModel {
  static override tableName = 'bank_statement_lines';
  static override entityType = 'BankStatementLine';
  static override naming = 'snake_case' as const;
  static override decimals: readonly string[] = ['amount'];
  static override hidden: readonly string[] = ['tenantId', 'key'];
  declare bankAccountId: string;
  declare statementId: string;
  declare position: number;
  declare key: string;
  declare date: string;
  declare valueDate: string | null;
  declare amount: string;
  declare reference: string | null;
  declare bankReference: string | null;
  declare endToEndId: string | null;
  declare counterpartyName: string | null;
  declare counterpartyIban: string | null;
  declare text: string | null;
  declare reversal: boolean;
  declare status: LineStatus;
  /** The entry that it shows: one that was made for it, or that was there. */
  declare entryId: string | null;
  /** The payments that it shows; only where they were asked for. */
  declare paymentIds?: readonly string[];
}

/** SQL of the payments that the line `bank_statement_lines` shows, as an array. */
export const PAYMENTS_OF_LINE = `array(select p.payment_id from bank_line_payments p
  where p.tenant_id = bank_statement_lines.tenant_id and p.line_id = bank_statement_lines.id order by p.position) as payment_ids`;

/** A payment that a line shows. */
export class BankLinePayment extends TenantModel {
  static override tableName = 'bank_line_payments';
  static override entityType = 'BankLinePayment';
  static override naming = 'snake_case' as const;
  declare lineId: string;
  declare position: number;
  declare paymentId: string;
}
