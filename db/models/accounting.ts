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
