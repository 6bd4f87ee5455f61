/**
 * Headings of the annual accounts as trees: the accounts of each, and their totals. Accounts are selected by code prefix; the longest
 * matching prefix wins.
 */
import type { AccountType } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import type { Texts } from '../engine/texts.ts';

/** A declared heading: its accounts, or the headings that it adds up. */
export interface Heading {
  /** Full code in the annual accounts: B.II.1 */
  readonly code: string;
  readonly name: Texts;
  /** Prefixes of account codes. */
  readonly accounts?: readonly string[];
  /** Accounts that are here only with a balance on this side; with the opposite balance they are under another heading. */
  readonly sided?: { readonly side: 'debit' | 'credit'; readonly accounts: readonly string[] };
  readonly children?: readonly Heading[];
  /** Whether it is shown only if it has something: other forms of the same accounts have it. */
  readonly isOptional?: boolean;
}

/** An account with its balances (debit − credit), one for each column of the report. */
export interface AccountBalance {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly amounts: readonly Decimal[];
  /** Whether it stands for the accounts whose codes begin with its code, as a position of a budget may. */
  readonly isBeginning?: boolean;
}

/** A heading with its amounts, one for each column, signed as shown in the report. */
export interface FilledHeading {
  readonly code: string;
  readonly name: string;
  readonly amounts: readonly Decimal[];
  readonly children: readonly FilledHeading[];
  /** Accounts directly under the heading. */
  readonly accounts: readonly AccountBalance[];
}

/** Declares a heading: its code, Spanish and English names, and prefixes of accounts. */
export function heading(code: string, es: string, en: string, accounts = ''): Heading {
  return { code, name: { es, en }, accounts: words(accounts) };
}

/** Declares a heading that adds up others. */
export function group(code: string, es: string, en: string, children: readonly Heading[]): Heading {
  return { code, name: { es, en }, children };
}

/** A heading that is shown only if it has something. */
export function optional(of: Heading): Heading {
  return { ...of, isOptional: true };
}

/** Adds accounts to a heading if their balance is on one side. */
export function withSide(of: Heading, side: 'debit' | 'credit', accounts: string): Heading {
  return { ...of, sided: { side, accounts: words(accounts) } };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

interface Places {
  readonly debit?: Heading;
  readonly credit?: Heading;
}

/** Finds headings by account codes. */
export class HeadingIndex {
  readonly #places = new Map<string, Places>();
  #longest = 0;

  constructor(trees: readonly Heading[]) {
    for (const tree of trees) this.#add(tree);
  }

  #add(place: Heading): void {
    const { accounts = [], sided, children = [] } = place;
    for (const prefix of accounts) this.#put(prefix, { debit: place, credit: place });
    for (const prefix of sided?.accounts ?? []) {
      this.#put(prefix, sided?.side === 'debit' ? { debit: place } : { credit: place });
    }
    for (const child of children) this.#add(child);
  }

  #put(prefix: string, places: Places): void {
    const known = this.#places.get(prefix) ?? {};
    if ((known.debit && places.debit) || (known.credit && places.credit)) throw new Error(`${prefix} has two headings`);
    this.#places.set(prefix, { ...known, ...places });
    this.#longest = Math.max(this.#longest, prefix.length);
  }

  /** Finds the heading of an account with a balance (debit − credit); undefined if none has it. */
  find(account: string, balance: Decimal): Heading | undefined {
    for (let length = Math.min(this.#longest, account.length); length > 0; length--) {
      const places = this.#places.get(account.slice(0, length));
      if (places !== undefined) return decimal(balance).gte(0) ? places.debit : places.credit;
    }
    return undefined;
  }

  /** Finds the heading of all accounts whose codes begin alike; undefined if they have several, or none. */
  findBeginning(beginning: string, balance: Decimal): Heading | undefined {
    const found = this.find(beginning, balance);
    if (found !== undefined) return found;
    const longer = [...this.#places.keys()].filter((prefix) => prefix.startsWith(beginning));
    const [place, ...others] = new Set(longer.map((prefix) => this.find(prefix, balance)));
    return others.length === 0 ? place : undefined;
  }
}

/** Amounts and accounts directly under a heading. */
interface Standing {
  readonly amounts: Exact[];
  readonly accounts: Map<string, AccountBalance & { readonly amounts: Decimal[] }>;
}

/** Amounts under each heading, with the sign shown there. */
export class Standings {
  readonly #standings = new Map<Heading, Standing>();
  readonly #columns: number;

  /** @param columns number of columns of the report */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /**
   * Adds an account. Each of its balances is placed by its own side, so that an account can be under two headings.
   * @param place finds the heading of a balance, and its sign: 1 where debits are positive, −1 where credits are
   */
  add(account: AccountBalance, place: (balance: Decimal) => { readonly at: Heading; readonly sign: 1 | -1 }): void {
    for (const [column, balance] of account.amounts.entries()) {
      if (decimal(balance).eq(0)) continue;
      const { at, sign } = place(balance);
      const signed = decimal(balance).times(sign).toFixed();
      this.addAmount(at, column, signed);
      const { accounts } = this.#at(at);
      const known = accounts.get(account.id) ?? { ...account, amounts: this.#each(() => '0' as Decimal) };
      known.amounts[column] = decimal(known.amounts[column] as Decimal)
        .plus(signed)
        .toFixed();
      accounts.set(account.id, known);
    }
  }

  /** Adds an amount that belongs to no account. @param column from 0 */
  addAmount(at: Heading, column: number, amount: Decimal): void {
    const { amounts } = this.#at(at);
    amounts[column] = (amounts[column] as Exact).plus(amount);
  }

  #at(place: Heading): Standing {
    const standing = this.#standings.get(place) ?? { amounts: this.#each(() => decimal(0)), accounts: new Map() };
    this.#standings.set(place, standing);
    return standing;
  }

  #each<T>(value: (column: number) => T): T[] {
    return Array.from({ length: this.#columns }, (_, column) => value(column));
  }

  /** Builds a heading with everything under it. @param more further headings under it */
  fill(place: Heading, language: Language, more: readonly Heading[] = []): FilledHeading {
    const children = [...(place.children ?? []), ...more]
      .map((child) => ({ child, filled: this.fill(child, language) }))
      .filter(({ child, filled }) => child.isOptional !== true || !isEmpty(filled))
      .map(({ filled }) => filled);
    const { amounts, accounts } = this.#at(place);
    const sums = total(children, this.#columns);
    return {
      code: place.code,
      name: place.name[language],
      amounts: amounts.map((amount, column) => amount.plus(sums[column] as Decimal).toFixed()),
      children,
      accounts: [...accounts.values()].sort((a, b) => (a.code < b.code ? -1 : 1)),
    };
  }
}

/** Whether a heading is another one, or has it below. */
export function contains(place: Heading, other: Heading): boolean {
  return place === other || (place.children ?? []).some((child) => contains(child, other));
}

/** Sums headings, column by column. */
export function total(headings: readonly FilledHeading[], columns: number): Decimal[] {
  return Array.from({ length: columns }, (_, column) =>
    sum(headings.map(({ amounts }) => amounts[column] as Decimal)).toFixed(),
  );
}

/** Whether a heading has nothing to show. */
export function isEmpty({ amounts, accounts }: FilledHeading): boolean {
  return accounts.length === 0 && amounts.every((amount) => decimal(amount).eq(0));
}

/** Finds a heading, itself or below, by its code. @throws Error if there is none */
export function headingNamed<H extends { readonly code: string; readonly children?: readonly H[] }>(
  tree: H,
  code: string,
): H {
  const found = descendants(tree).find((one) => one.code === code);
  if (found === undefined) throw new Error(`there is no heading ${code}`);
  return found;
}

/** Lists a heading and all below it, in depth-first order. */
export function descendants<H extends { readonly children?: readonly H[] }>(tree: H): H[] {
  return [tree, ...(tree.children ?? []).flatMap((child) => descendants(child))];
}

/** Lists the beginnings of the accounts of a heading and of all below it. */
export function prefixes(tree: Heading): string[] {
  return descendants(tree).flatMap(({ accounts = [], sided }) => [...accounts, ...(sided?.accounts ?? [])]);
}
