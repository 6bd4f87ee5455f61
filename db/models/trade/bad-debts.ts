/** Invoices that customers may not pay, and what has changed the provisions for them. */
import type { BadDebtMovementKind } from '../../../domain/ledger/accounting/bad-debts.ts';
import { day, exact, flag, instant, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class BadDebt extends versionedTable('bad_debts', {
  code: text(),
  documentId: uuid(),
  partnerId: uuid(),
  impairmentAccountId: uuid(),
  doubtfulAccountId: uuid(),
  provided: exact(),
  doubtful: exact(),
  writtenOff: exact(),
}) {
  static override entityType = 'BadDebt';
  static override access = 'journal_entries:read' as const;
  static override hidden = ['tenantId', 'impairmentAccountId', 'doubtfulAccountId'];
}

export class BadDebtMovement extends table('bad_debt_movements', {
  badDebtId: uuid(),
  kind: text<BadDebtMovementKind>(),
  date: day(),
  provided: exact(),
  doubtful: exact(),
  writtenOff: exact(),
  entryId: uuid(),
  standing: flag(),
  undoesId: optional(uuid()),
  createdBy: optional(uuid()),
  createdAt: instant(),
}) {}
