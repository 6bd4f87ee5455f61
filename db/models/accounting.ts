/** The ledger's entries with their lines, and its years. */
import { Model, type QueryBuilder } from 'objection';
import type { EntryKind, EntryLine, LineTax } from '../../domain/accounting/entries.ts';
import type { Decimal } from '../../domain/money.ts';
import type { JsonRow } from './base.ts';
import { day, exact, flag, generated, instant, integer, json, list, optional, text, uuid } from './columns.ts';
import { keylessTable, versionedTable } from './table.ts';

/** A draft, or an entry that is posted and stays. */
export class JournalEntry extends versionedTable('journal_entries', {
  /** The order in which they were made. */
  seq: generated(integer()),
  /** Given after posting, many at once. */
  number: optional(integer()),
  /** Derived from the date. */
  fiscalYear: integer(),
  date: day(),
  periodId: uuid(),
  kind: text<EntryKind>(),
  status: text<'draft' | 'posted'>(),
  description: optional(text()),
  /** Its source: a document, a payment, a count; null for manual entries. */
  sourceType: optional(text()),
  sourceId: optional(uuid()),
  reversalOf: optional(uuid()),
  /** Of a draft. */
  draftLines: optional(json<readonly EntryLine[]>()),
  lineCount: integer(),
  total: exact(),
  createdBy: optional(uuid()),
  postedAt: optional(instant()),
}) {
  static override entityType = 'JournalEntry';
  static override hidden = ['tenantId', 'seq', 'lineCount'];
  static override relationMappings = () => ({
    lines: {
      relation: Model.HasManyRelation,
      modelClass: JournalLine,
      join: { from: 'journal_entries.id', to: 'journal_lines.entry_id' },
      modify: (lines: QueryBuilder<JournalLine>) => lines.orderBy('line_number'),
    },
    /** The entry that undoes it. */
    reversal: {
      relation: Model.HasOneRelation,
      modelClass: JournalEntry,
      join: { from: 'journal_entries.id', to: 'journal_entries.reversal_of' },
    },
  });
  static override modifiers = {
    /** Posted, neither reversed nor a reversal. */
    standing(entries: QueryBuilder<JournalEntry>) {
      entries
        .where({ status: 'posted', reversal_of: null })
        .whereNotExists(JournalEntry.relatedQuery('reversal').alias('reversal'));
    },
  };
  /** Only if loaded; a draft has none yet. */
  declare lines?: JournalLine[];
  declare reversal?: JournalEntry | null;

  /** A draft shows its lines as a posted entry does. */
  static override toJson(row: JsonRow): JsonRow {
    const { draftLines, ...shown } = super.toJson(row);
    return draftLines === undefined || draftLines === null ? shown : { ...shown, lines: draftLines };
  }
}

/** A line of a posted entry; only ever inserted. Its tax has columns of its own. */
export class JournalLine extends keylessTable('journal_lines', {
  entryId: uuid(),
  lineNumber: integer(),
  date: day(),
  kind: text<EntryKind>(),
  accountId: uuid(),
  debit: exact(),
  credit: exact(),
  /** Of a payment: the line of its money. */
  money: flag(),
  partnerId: optional(uuid()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  description: optional(text()),
  taxKind: optional(text<LineTax['kind']>()),
  taxOperation: optional(text<LineTax['operation']>()),
  taxUse: optional(text<LineTax['use']>()),
  taxRectifying: optional(flag()),
  taxGroupId: optional(uuid()),
  taxRate: optional(exact()),
  taxBase: optional(exact()),
  taxAmount: optional(exact()),
  /** The line of a note that is entered before its invoice (decision 0156). */
  noteLineId: optional(uuid()),
  /** Of a deducted tax: what the pro rata applies to; null = the amount itself. */
  taxSubject: optional(exact()),
}) {}

/**
 * What the lines of numbered entries add up to, by month and everything that reports group by. Kept by `services/accounting/balances` up to
 * a number of each fiscal year, which a counter holds.
 */
export class JournalBalance extends keylessTable('journal_balances', {
  fiscalYear: integer(),
  /** Its first day. */
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
  /** What the pro rata applies to. */
  taxSubject: exact(),
  /** How many lines they are. */
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
  /** What was not invoiced yet, and what takes that back on the next year's first day. */
  pendingEntryId: optional(uuid()),
  pendingReversalId: optional(uuid()),
  regularisationId: optional(uuid()),
  closingId: optional(uuid()),
  openingId: optional(uuid()),
  /** The periods that the closing has closed, and a reopening reopens. */
  closedPeriods: list<string[]>(),
}) {
  static override entityType = 'FiscalYear';
}

/** A regularisation of the pro rata of a calendar year; only ever inserted. */
export class ProRataAdjustment extends versionedTable('pro_rata_adjustments', {
  year: integer(),
  percent: exact(),
  withRight: exact(),
  operations: exact(),
  /** The tax that the pro rata applies to, and what of it was deducted until then. */
  subject: exact(),
  deducted: exact(),
  difference: exact(),
  entryId: optional(uuid()),
}) {
  static override entityType = 'ProRataAdjustment';
}

/** A return that was filed: what its boxes said then. */
export class TaxReturn extends versionedTable('tax_returns', {
  model: text<'130' | '303' | '390'>(),
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
  /** Boxes that a person stated. */
  overrides: json<Readonly<Record<string, Decimal>>>(),
  /** What it leaves to compensate in later periods. */
  carry: exact(),
  /** The settlement; null if there was nothing to settle. */
  entryId: optional(uuid()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'TaxReturn';
}
