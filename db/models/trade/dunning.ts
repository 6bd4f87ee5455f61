/** Reminders of overdue invoices. */
import type { DunnedInvoice } from '../../../domain/trade/payments/dunning.ts';
import { day, exact, flag, integer, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class DunningLevel extends versionedTable('dunning_levels', {
  level: integer(),
  name: text(),
  /** Days overdue from which it is reached. */
  days: integer(),
  fee: exact(),
  /** A year, in percent. */
  interestPercent: optional(exact()),
  subject: optional(text()),
  body: optional(text()),
  active: flag(),
}) {
  static override entityType = 'DunningLevel';
  static override access = 'payments_in:read' as const;
}

export class Dunning extends versionedTable('dunnings', {
  code: text(),
  date: day(),
  partnerId: uuid(),
  level: integer(),
  lines: json<readonly DunnedInvoice[]>(),
  outstanding: exact(),
  interest: exact(),
  fee: exact(),
  total: exact(),
  currency: text(),
  emailId: optional(uuid()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Dunning';
  static override access = 'payments_in:read' as const;
}
