/** Budgets of fiscal years, with their lines. */
import type { BudgetControl, BudgetStatus } from '../../../domain/ledger/budgets/positions.ts';
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Budget extends versionedTable('budgets', {
  name: text(),
  /** The calendar year in which it begins. */
  fiscalYear: integer(),
  status: text<BudgetStatus>(),
  /** Whether it is the current version of its fiscal year. */
  isDefault: flag(),
  /** Effect, while it is the current one, of spending more than it has. */
  control: text<BudgetControl>(),
  /** Whether control counts what is ordered or received and not entered yet. */
  countCommitments: flag(),
}) {
  static override entityType = 'Budget';
  static override access = 'journal_entries:read' as const;
}

export class BudgetLine extends versionedTable('budget_lines', {
  budgetId: uuid(),
  /** Code of an account, or the beginning of several. */
  account: text(),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  /** First day of the month. */
  month: day(),
  amount: exact(),
}) {
  static override entityType = 'BudgetLine';
  static override access = 'journal_entries:read' as const;
}
