/** Recurring documents: agreements by which documents and entries are made again and again, and what they have made. */
import type { MissedRule } from '../../../domain/contracts/recurring/catch-up.ts';
import type { IntervalUnit } from '../../../domain/contracts/recurring/interval.ts';
import type { BillingTime } from '../../../domain/contracts/recurring/periods.ts';
import type { PriceRule } from '../../../domain/contracts/recurring/prices.ts';
import type { RecurringMode, RecurringType, RunOutcome } from '../../../domain/contracts/recurring/types.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class RecurringDocument extends versionedTable('recurring_documents', {
  name: text(),
  documentType: text<RecurringType>(),
  /** The body by which a client would make it. */
  template: json<Record<string, unknown>>(),
  /** Lines that the next document has besides. */
  adjustments: json<readonly Record<string, unknown>[]>(),
  partnerId: optional(uuid()),
  unit: optional(text<IntervalUnit>()),
  every: optional(integer()),
  onDay: optional(integer()),
  cron: optional(text()),
  startsOn: day(),
  endsOn: optional(day()),
  /** Number of documents after which it ends. */
  count: optional(integer()),
  billedAt: text<BillingTime>(),
  prorate: flag(),
  mode: text<RecurringMode>(),
  price: text<PriceRule>(),
  indexPercent: optional(exact()),
  indexMonths: optional(integer()),
  missed: text<MissedRule>(),
  active: flag(),
  /** First day of the next period; null once it has ended. It changes without a new version or audit record, like those below. */
  nextFrom: optional(day()),
  nextOn: optional(day()),
  /** The instant at which that day begins for the company. */
  nextAt: optional(instant()),
  made: integer(),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'RecurringDocument';
  static override access = 'recurring_documents:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = [
    'tenantId',
    'unit',
    'every',
    'onDay',
    'cron',
    'adjustments',
    'nextFrom',
    'nextAt',
  ];
}

export class RecurringRun extends table('recurring_runs', {
  recurringId: uuid(),
  /** From 1; 0 if none was made. */
  number: integer(),
  periodFrom: day(),
  periodTo: day(),
  dueOn: day(),
  outcome: text<RunOutcome>(),
  reason: optional(text()),
  documentId: optional(uuid()),
  entryId: optional(uuid()),
  createdAt: instant(),
}) {}
