/** Finds the accounts of the parent on which the accounts of a group company stand (decision 0368). */
import { isOfResult } from '../../ledger/accounting/results.ts';
import type { GroupAccount } from './items.ts';

/** Where the accounts stand whose codes begin so. */
export interface Mapping {
  readonly beginning: string;
  /** Code of the parent's account. */
  readonly code: string;
}

export class AccountMap {
  readonly #accounts: ReadonlyMap<string, GroupAccount>;
  readonly #mappings: ReadonlyMap<string, string>;
  readonly #isSameChart: boolean;

  /**
   * @param accounts of the parent
   * @param mappings of the company
   * @param isSameChart whether both follow one chart: then equal codes mean the same
   */
  constructor(accounts: readonly GroupAccount[], mappings: readonly Mapping[], isSameChart: boolean) {
    this.#accounts = new Map(accounts.map((account) => [account.code, account]));
    this.#mappings = new Map(mappings.map(({ beginning, code }) => [beginning, code]));
    this.#isSameChart = isSameChart;
  }

  /**
   * Finds the account for one of the company: that of the longest mapping, else in the same chart the one with the same code, or with the
   * longest code that it begins with.
   * @returns undefined if there is none, or if one is income or expense and the other is not: sums would no longer agree
   */
  find(account: GroupAccount): GroupAccount | undefined {
    const found = this.#mapped(account.code) ?? (this.#isSameChart ? this.#alike(account.code) : undefined);
    return found !== undefined && isOfResult(found) === isOfResult(account) ? found : undefined;
  }

  #mapped(code: string): GroupAccount | undefined {
    for (const beginning of beginnings(code)) {
      const target = this.#mappings.get(beginning);
      if (target !== undefined) return this.#accounts.get(target);
    }
    return undefined;
  }

  #alike(code: string): GroupAccount | undefined {
    for (const beginning of beginnings(code)) {
      const found = this.#accounts.get(beginning);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The code itself, and its beginnings, longest first. */
function beginnings(code: string): string[] {
  return Array.from(code, (_, index) => code.slice(0, code.length - index));
}
