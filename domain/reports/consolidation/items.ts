/** The parts of consolidated statements: balances of companies on accounts of their parent (decision 0367). */
import type { AccountType } from '../../ledger/accounting/charts/chart.ts';
import type { Decimal } from '../../money.ts';

/** An account of the parent, or a line that only consolidation has. */
export interface GroupAccount {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
}

/** An amount (debit − credit) in the column of a company, or in that of the eliminations. */
export interface GroupItem {
  readonly account: GroupAccount;
  /** From 0, the parent. */
  readonly column: number;
  readonly amount: Decimal;
  /**
   * The balance that decides under which heading it is, for accounts that are assets or debts by their balance: that of the company's
   * account. So each column is the company's own statement, and what is eliminated is taken from where it stands.
   */
  readonly placedBy: Decimal;
}
