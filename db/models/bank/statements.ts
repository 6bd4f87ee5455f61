/** Bank statements, their lines and rules. */
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export const LINE_STATUSES = ['open', 'matched', 'ignored'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export class BankStatement extends versionedTable('bank_statements', {
  bankAccountId: uuid(),
  format: text(),
  fileName: optional(text()),
  reference: optional(text()),
  currency: text(),
  fromDate: day(),
  toDate: day(),
  openingBalance: optional(exact()),
  closingBalance: optional(exact()),
  fingerprint: text(),
  lineCount: integer(),
  newLineCount: integer(),
}) {
  static override entityType = 'BankStatement';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'fingerprint'];
}

export class BankStatementLine extends versionedTable('bank_statement_lines', {
  bankAccountId: uuid(),
  statementId: uuid(),
  position: integer(),
  key: text(),
  date: day(),
  valueDate: optional(day()),
  amount: exact(),
  reference: optional(text()),
  bankReference: optional(text()),
  endToEndId: optional(text()),
  counterpartyName: optional(text()),
  counterpartyIban: optional(text()),
  text: optional(text()),
  reversal: flag(),
  /** The bank's reason for a return, as an ISO 20022 code. */
  returnReason: optional(text()),
  status: text<LineStatus>(),
  /** The entry linked to the line: made for it, or existing before. */
  entryId: optional(uuid()),
  /** The rule that accepted it. */
  ruleId: optional(uuid()),
}) {
  static override entityType = 'BankStatementLine';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'key'];
  /** Payments linked to the line; only if loaded. */
  declare paymentIds?: readonly string[];
}

/** SQL of the payments linked to the line `bank_statement_lines`, as an array. */
export const PAYMENTS_OF_LINE = `array(select p.payment_id from bank_line_payments p
  where p.tenant_id = bank_statement_lines.tenant_id and p.line_id = bank_statement_lines.id order by p.position) as payment_ids`;

/** Links a payment to a line. */
export class BankLinePayment extends versionedTable('bank_line_payments', {
  lineId: uuid(),
  position: integer(),
  paymentId: uuid(),
}) {
  static override entityType = 'BankLinePayment';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
}

/** A rule for lines: their conditions, and the account to post them to. */
export class BankRule extends versionedTable('bank_rules', {
  name: text(),
  /** Rules apply in this order. */
  position: integer(),
  active: flag(),
  /** Whether it accepts lines on import. */
  accept: flag(),
  bankAccountId: optional(uuid()),
  text: optional(text()),
  direction: optional(text<'in' | 'out'>()),
  amountFrom: optional(exact()),
  amountTo: optional(exact()),
  counterpartyId: optional(uuid()),
  accountId: uuid(),
  taxGroupId: optional(uuid()),
  partnerId: optional(uuid()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  entryText: optional(text()),
}) {
  static override entityType = 'BankRule';
  static override access = 'payments:read' as const;
  static override naming = 'snake_case' as const;
}
