/** Salespeople, the rates of their commissions, and settlements. */
import type { CommissionBasis, CommissionDue } from '../../../domain/trade/commissions.ts';
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Salesperson extends versionedTable('salespeople', {
  code: text(),
  name: text(),
  email: optional(text()),
  /** The supplier who invoices the commissions; either this or `employeeId`. */
  partnerId: optional(uuid()),
  /** The employee who gets them with the pay. */
  employeeId: optional(uuid()),
  active: flag(),
}) {
  static override entityType = 'Salesperson';
  static override access = 'salespeople:read' as const;
}

export class CommissionRate extends versionedTable('commission_rates', {
  name: text(),
  salespersonId: optional(uuid()),
  itemId: optional(uuid()),
  categoryId: optional(uuid()),
  /** Smallest margin of a line, in percent of its amount. */
  minMarginPercent: optional(exact()),
  basis: text<CommissionBasis>(),
  percent: exact(),
  validFrom: optional(day()),
  validTo: optional(day()),
  active: flag(),
}) {
  static override entityType = 'CommissionRate';
  static override access = 'commissions:read' as const;
}

export class CommissionSettlement extends versionedTable('commission_settlements', {
  code: text(),
  date: day(),
  salespersonId: uuid(),
  /** Last day of the lines that it settles. */
  upTo: day(),
  due: text<CommissionDue>(),
  lines: integer(),
  base: exact(),
  total: exact(),
  /** Draft of the agent's invoice. */
  documentId: optional(uuid()),
  payItemId: optional(uuid()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'CommissionSettlement';
  static override access = 'commissions:read' as const;
}
