/** The ledger's entries. Their lines have no model: they are only ever inserted, and read together with their accounts. */
import { type Presented, TenantModel } from './base.ts';

/** A draft, or an entry that is posted and stays. */
export class JournalEntry extends TenantModel {
  static override tableName = 'journal_entries';
  static override entityType = 'JournalEntry';
  static override decimals = ['total'];
  static override hidden = ['tenantId', 'seq', 'lineCount'];
  declare number: number | null;
  declare fiscalYear: number;
  declare date: string;
  declare periodId: string;
  declare kind: 'normal' | 'opening' | 'regularisation' | 'closing';
  declare status: 'draft' | 'posted';
  declare description: string | null;
  declare sourceType: string | null;
  declare sourceId: string | null;
  declare reversalOf: string | null;
  /** Of a draft, as entry lines. */
  declare draftLines: unknown[] | null;
  declare lineCount: number;
  declare total: string;
  declare createdBy: string | null;
  declare postedAt: string | null;

  /** A draft shows its lines as a posted entry does. */
  static override present(row: Presented): Presented {
    const { draftLines, ...shown } = super.present(row);
    return draftLines === undefined || draftLines === null ? shown : { ...shown, lines: draftLines };
  }
}

/** A fiscal year that has been closed at least once. */
export class FiscalYear extends TenantModel {
  static override tableName = 'fiscal_years';
  static override entityType = 'FiscalYear';
  static override decimals = ['result'];
  /** The calendar year in which it begins. */
  declare year: number;
  declare from: string;
  declare to: string;
  declare status: 'open' | 'closed';
  declare result: string | null;
  declare stockEntryId: string | null;
  declare regularisationId: string | null;
  declare closingId: string | null;
  declare openingId: string | null;
  /** The periods that the close has closed, and a reopening opens again. */
  declare closedPeriods: string[];
}
