/** Declarations of forms of the cash flow statement: their headings, and where the flows of accounts are (decision 0362). */
import type { Heading } from '../headings.ts';
import type { Section } from './form.ts';

/** Where the flow of accounts is: what they are credited with less what they are debited with. */
export type Flow = { readonly accounts: readonly string[] } & (
  | { readonly kind: 'net'; readonly at: string }
  /** Debits and credits apart. */
  | { readonly kind: 'sides'; readonly debits: string; readonly credits: string }
  /** All these accounts together, by the sign of their sum. */
  | { readonly kind: 'sign'; readonly above: string; readonly below: string }
  /** In the result, taken out of it by an adjustment, and added where its cash is. */
  | { readonly kind: 'noncash'; readonly adjustment: string; readonly at: string }
);

/** Headings are named by their codes. */
export interface CashFlowForm {
  readonly sections: readonly Section[];
  /** Beginnings of the accounts of money. */
  readonly cash: readonly string[];
  /** The heading of the result before tax: income and expense that no flow names. */
  readonly result: string;
  /** The heading of all other accounts that no flow names. */
  readonly others: string;
  /** The heading of the tax on investment goods, which is paid to their suppliers with the price and owed to them like it. */
  readonly investmentTax: string;
  readonly flows: readonly Flow[];
}

/** Declares accounts whose flow is under one heading. */
export function flow(at: string, accounts: string): Flow {
  return { kind: 'net', at, accounts: accounts.split(' ') };
}

/** Declares accounts whose debits are under one heading and whose credits are under another. */
export function sides(debits: string, credits: string, accounts: string): Flow {
  return { kind: 'sides', debits, credits, accounts: accounts.split(' ') };
}

/** Declares accounts whose sum is under one heading if it is above zero, and else under another. */
export function bySign(above: string, below: string, accounts: string): Flow {
  return { kind: 'sign', above, below, accounts: accounts.split(' ') };
}

/** Declares accounts of the result that are taken out of it, and where their cash is. */
export function noncash(adjustment: string, at: string, accounts: string): Flow {
  return { kind: 'noncash', adjustment, at, accounts: accounts.split(' ') };
}

/** The flows of a form by the beginnings of accounts, of which the longest counts. */
export class FlowIndex {
  readonly #byPrefix = new Map<string, Flow>();
  readonly #longest: number;

  constructor(flows: readonly Flow[]) {
    for (const one of flows)
      for (const prefix of one.accounts) {
        if (this.#byPrefix.has(prefix)) throw new Error(`${prefix} has two flows`);
        this.#byPrefix.set(prefix, one);
      }
    this.#longest = Math.max(...[...this.#byPrefix.keys()].map(({ length }) => length));
  }

  find(account: string): Flow | undefined {
    for (let length = Math.min(this.#longest, account.length); length > 0; length--) {
      const found = this.#byPrefix.get(account.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Finds headings of a form by their codes. */
export function byCode(sections: readonly Heading[]): ReadonlyMap<string, Heading> {
  const all = (one: Heading): Heading[] => [one, ...(one.children ?? []).flatMap(all)];
  return new Map(sections.flatMap(all).map((one) => [one.code, one]));
}
