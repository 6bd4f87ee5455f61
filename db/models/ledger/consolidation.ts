/** Groups of companies, consolidated by their parent (decision 0367). */
import type { TemplateLine } from '../../../domain/ledger/accounting/entry-template.ts';
import { day, exact, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

/** A company that this one consolidates. */
export class GroupCompany extends versionedTable('group_companies', {
  companyId: uuid(),
  /** In reports. */
  name: text(),
  /** Share that the group owns. */
  ownershipPercent: exact(),
  joinedOn: day(),
  /** Its last day in the group. */
  leftOn: optional(day()),
  /** The account on which the investment in it stands. */
  investmentAccountId: optional(uuid()),
  /** All its equity when it was acquired; null if the group has founded it. */
  acquiredEquity: optional(exact()),
}) {
  static override entityType = 'GroupCompany';
  static override access = 'journal_entries:read' as const;
}

/** Where accounts of a group company stand in consolidated reports. */
export class GroupAccountMapping extends versionedTable('group_account_mappings', {
  groupCompanyId: uuid(),
  /** Beginning of the codes of its accounts. */
  beginning: text(),
  /** An account of this company. */
  accountId: uuid(),
}) {
  static override entityType = 'GroupAccountMapping';
  static override access = 'journal_entries:read' as const;
}

/** A company that may consolidate this one. */
export class ParentCompany extends versionedTable('parent_companies', {
  companyId: uuid(),
  name: text(),
}) {
  static override entityType = 'ParentCompany';
  static override access = 'config:read' as const;
}

/** A line of what is entered for the group alone, in the parent's currency. */
export interface AdjustmentLine extends Pick<TemplateLine, 'accountId' | 'side'> {
  readonly amount: number;
}

/** An amount that the parent enters for the group alone: it counts in consolidated reports (decision 0410). */
export class GroupAdjustment extends versionedTable('group_adjustments', {
  date: day(),
  description: text(),
  lines: json<readonly AdjustmentLine[]>(),
  /** The day on which the opposite counts. */
  reversesOn: optional(day()),
}) {
  static override entityType = 'GroupAdjustment';
  static override access = 'journal_entries:read' as const;
}
