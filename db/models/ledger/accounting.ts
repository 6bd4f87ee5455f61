/** Journal entries with their lines, fiscal years and tax returns. */
import { Model, type QueryBuilder } from 'objection';
import type { EntryKind, EntryLine, LineTax } from '../../../domain/ledger/accounting/entries.ts';
import type { TemplateLine } from '../../../domain/ledger/accounting/entry-template.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { RectificationReason } from '../../../domain/ledger/tax-returns/rectifying.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { JsonRow } from '../base.ts';
import { day, exact, flag, generated, instant, integer, json, list, optional, text, uuid } from '../columns.ts';
import { keylessTable, table, versionedTable } from '../table.ts';

/** A draft or posted entry. */
export class JournalEntry extends versionedTable('journal_entries', {
  /** Posting order. */
  seq: generated(integer()),
  /** Assigned after posting, in batches. */
  number: optional(integer()),
  /** Derived from the date. */
  fiscalYear: integer(),
  date: day(),
  periodId: uuid(),
  kind: text<EntryKind>(),
  status: text<'draft' | 'posted'>(),
  description: optional(text()),
  /** The source: a document, payment or stock count; null for manual entries. */
  sourceType: optional(text()),
  sourceId: optional(uuid()),
  reversalOf: optional(uuid()),
  /** Lines of a draft. */
  draftLines: optional(json<readonly EntryLine[]>()),
  lineCount: integer(),
  total: exact(),
  createdBy: optional(uuid()),
  postedAt: optional(instant()),
}) {
  static override entityType = 'JournalEntry';
  static override access = 'journal_entries:read' as const;
  static override hidden = ['tenantId', 'seq', 'lineCount'];
  static override relationMappings = () => ({
    lines: {
      relation: Model.HasManyRelation,
      modelClass: JournalLine,
      join: { from: 'journal_entries.id', to: 'journal_lines.entry_id' },
      modify: (lines: QueryBuilder<JournalLine>) => lines.orderBy('line_number'),
    },
    /** The entry that reverses this one. */
    reversal: {
      relation: Model.HasOneRelation,
      modelClass: JournalEntry,
      join: { from: 'journal_entries.id', to: 'journal_entries.reversal_of' },
    },
  });
  static override modifiers = {
    /** Selects posted entries that are neither reversed nor reversals. */
    standing(entries: QueryBuilder<JournalEntry>) {
      entries
        .where({ status: 'posted', reversal_of: null })
        .whereNotExists(JournalEntry.relatedQuery('reversal').alias('reversal'));
    },
  };
  /** Only if loaded; drafts have none. */
  declare lines?: JournalLine[];
  declare reversal?: JournalEntry | null;

  /** Shows the lines of a draft like those of a posted entry. */
  static override toJson(row: JsonRow): JsonRow {
    const { draftLines, ...shown } = super.toJson(row);
    return draftLines === undefined || draftLines === null ? shown : { ...shown, lines: draftLines };
  }
}

/** A line of a posted entry; insert-only. Its tax has columns of its own. */
export class JournalLine extends keylessTable('journal_lines', {
  entryId: uuid(),
  lineNumber: integer(),
  date: day(),
  kind: text<EntryKind>(),
  accountId: uuid(),
  debit: exact(),
  credit: exact(),
  /** Marks the line of a payment's money. */
  money: flag(),
  partnerId: optional(uuid()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  description: optional(text()),
  /** The same in another currency, positive for debits; null in the company's own. */
  currency: optional(text()),
  currencyAmount: optional(exact()),
  taxKind: optional(text<LineTax['kind']>()),
  taxOperation: optional(text<LineTax['operation']>()),
  taxUse: optional(text<LineTax['use']>()),
  taxRectifying: optional(flag()),
  taxGroupId: optional(uuid()),
  taxRate: optional(exact()),
  taxBase: optional(exact()),
  taxAmount: optional(exact()),
  /** The line of a note entered before its invoice (decision 0156). */
  noteLineId: optional(uuid()),
  /** Deducted tax only: the tax to which the pro rata applies; null = the amount itself. */
  taxSubject: optional(exact()),
  /** The tax of the cash basis that the line enters, reduces or accrues. */
  pendingTaxId: optional(uuid()),
}) {}

/** A template by which entries are made (decision 0356). */
export class EntryTemplate extends versionedTable('entry_templates', {
  code: text(),
  name: text(),
  description: optional(text()),
  lines: json<readonly TemplateLine[]>(),
  active: flag(),
}) {
  static override entityType = 'EntryTemplate';
  static override access = 'journal_entries:read' as const;
}

/** A tax of an invoice under the cash basis; insert-only. What is pending of it is in the lines that name it (decision 0345). */
export class PendingTax extends table('pending_taxes', {
  documentId: uuid(),
  kind: text<'output' | 'input' | 'surcharge'>(),
  /** The account on which it is pending, and the one to which it accrues. */
  accountId: uuid(),
  accrualAccountId: uuid(),
  /** The last day on which it accrues. */
  dueOn: day(),
  use: text<LineTax['use']>(),
  rectifying: flag(),
  groupId: optional(uuid()),
  rate: exact(),
}) {}

/**
 * Sums of lines of numbered entries, by month and by every dimension used in reports.
 * `services/ledger/accounting/balances` maintains them; a counter holds the last number included for each fiscal year.
 */
export class JournalBalance extends keylessTable('journal_balances', {
  fiscalYear: integer(),
  /** First day of the month. */
  month: day(),
  accountId: uuid(),
  kind: text<EntryKind>(),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  taxKind: optional(text<LineTax['kind']>()),
  taxOperation: optional(text<LineTax['operation']>()),
  taxUse: optional(text<LineTax['use']>()),
  taxRectifying: optional(flag()),
  taxGroupId: optional(uuid()),
  taxRate: optional(exact()),
  debit: exact(),
  credit: exact(),
  taxBase: exact(),
  taxAmount: exact(),
  /** The tax to which the pro rata applies. */
  taxSubject: exact(),
  /** Number of lines. */
  lines: integer(),
}) {}

/** A fiscal year that has been closed at least once. */
export class FiscalYear extends versionedTable('fiscal_years', {
  /** The calendar year in which it begins. */
  year: integer(),
  from: day(),
  to: day(),
  status: text<'open' | 'closed'>(),
  result: optional(exact()),
  stockEntryId: optional(uuid()),
  /** Entry of uninvoiced amounts, and its reversal on the first day of the next year. */
  pendingEntryId: optional(uuid()),
  pendingReversalId: optional(uuid()),
  regularisationId: optional(uuid()),
  closingId: optional(uuid()),
  openingId: optional(uuid()),
  /** Periods that closing the year closed; reopening opens them again. */
  closedPeriods: list<string[]>(),
}) {
  static override entityType = 'FiscalYear';
  static override access = 'journal_entries:read' as const;
}

/** A regularisation of a calendar year's pro rata; insert-only. */
export class ProRataAdjustment extends versionedTable('pro_rata_adjustments', {
  year: integer(),
  percent: exact(),
  withRight: exact(),
  operations: exact(),
  /** The tax to which the pro rata applies, and the part deducted until then. */
  subject: exact(),
  deducted: exact(),
  difference: exact(),
  entryId: optional(uuid()),
}) {
  static override entityType = 'ProRataAdjustment';
  static override access = 'journal_entries:read' as const;
}

/** A regularisation of the deduction on an investment good (decision 0346). */
export class GoodRegularisation extends versionedTable('good_regularisations', {
  /** The line of the purchase invoice. */
  lineId: uuid(),
  year: integer(),
  date: day(),
  reason: text<'yearly' | 'disposal'>(),
  percent: exact(),
  /** Deducted in addition; below zero to pay back. */
  amount: exact(),
  entryId: optional(uuid()),
}) {
  static override entityType = 'GoodRegularisation';
  static override access = 'journal_entries:read' as const;
}

/** A filed return, with its boxes at that time. */
export class TaxReturn extends versionedTable('tax_returns', {
  model: text<TaxModel>(),
  year: integer(),
  /** 01 to 12, 1T to 4T; 0A is the year. */
  period: text(),
  from: day(),
  to: day(),
  /** I: to pay, C: to compensate, D: to be refunded, B: to deduct later, N: nothing. */
  type: text<'I' | 'C' | 'D' | 'B' | 'N'>(),
  result: exact(),
  refund: flag(),
  boxes: json<Readonly<Record<string, Decimal>>>(),
  /** Boxes that a person stated; of a rectifying return also what was to be paid before. */
  overrides: json<Readonly<Record<string, Decimal>>>(),
  /** People whom it declares, by list; reports show them, since they may be employees and what they earn. */
  details: json<Readonly<Record<string, readonly object[]>>>(),
  /** Credit to compensate in later periods. */
  carry: exact(),
  /** The settlement entry; null if there was nothing to settle. */
  entryId: optional(uuid()),
  createdBy: optional(uuid()),
  /** 0 for the first return of the period; the latest one is in force. */
  sequence: integer(),
  /** The agency's number of the return that it rectifies. */
  receiptNumber: optional(text()),
  reason: optional(text<RectificationReason>()),
}) {
  static override entityType = 'TaxReturn';
  static override hidden: readonly string[] = ['tenantId', 'details'];
  static override access = 'tax_returns:read' as const;
}
