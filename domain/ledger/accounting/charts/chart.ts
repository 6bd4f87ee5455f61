/** Charts of accounts: what a chart declares, and how its lines are read. */
import type { Decimal } from '../../../money.ts';
import type { RateKind } from '../../../trade/documents/union-scheme.ts';
import type { AccountRole } from '../roles.ts';

export type AccountType = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

export interface ChartAccount {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  /** Nothing is posted to headings. */
  readonly isHeading: boolean;
  /** Code of the parent account; null for the first level. */
  readonly parent: string | null;
}

/** A tax with the codes of its accounts. */
export interface TaxSeed {
  readonly code: string;
  readonly name: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
  /** The reason that an invoice names, where it is not the usual article. */
  readonly exemptionArticle?: string;
  /** The member state whose tax it is, if another, with how that state has the rate. */
  readonly consumptionCountry?: string;
  readonly rateKind?: RateKind;
  /** The first day on which it holds; none = always. */
  readonly validFrom?: string;
  readonly accounts: Partial<Record<'output' | 'input' | 'surcharge' | 'intraEuOutput' | 'intraEuInput', string>>;
}

/** Accounts that reports and rules look for by the beginnings of their codes. */
export const ACCOUNT_GROUPS = [
  /** Accounts of partners, whose lines are open items: owed by them, and to them. */
  'customers',
  'suppliers',
  /** Customers and suppliers in the key figures. */
  'receivables',
  'payables',
  'money',
  /** VAT on sales and on purchases, and all that is owed for VAT. */
  'outputTax',
  'inputTax',
  'vat',
  'revenue',
  /** Purchases with the change in their stock, the part of them that others did for sales, and the change in stock of products. */
  'purchases',
  'subcontracting',
  'production',
  'staffCosts',
  /** Invoices of agents. */
  'commissions',
] as const;
export type AccountGroup = (typeof ACCOUNT_GROUPS)[number];
export type AccountGroups = Readonly<Record<AccountGroup, readonly string[]>>;

/** Languages of charts, in which the names of a new company's data are. */
export type ChartLanguage = 'es' | 'en' | 'fr' | 'pt' | 'de';

export interface AccountChart {
  readonly code: string;
  readonly name: string;
  /** ISO 3166 code of the country whose chart it is; null for any. */
  readonly country: string | null;
  readonly language: ChartLanguage;
  /** Each account comes after its parent. */
  readonly accounts: readonly ChartAccount[];
  /** Codes of the company's own accounts by purpose. */
  readonly roles: Readonly<Record<AccountRole, string>>;
  /** Beginnings of codes. */
  readonly groups: AccountGroups;
  /** The taxes of a new company in a country that charges VAT; the default ones are those of GENERAL_VAT (taxes/index.ts). */
  readonly taxes: (country: string) => readonly TaxSeed[];
}

const TYPES: Readonly<Record<string, AccountType>> = {
  A: 'asset',
  L: 'liability',
  E: 'equity',
  I: 'income',
  X: 'expense',
};

function parse(text: string, isHeading: boolean): Omit<ChartAccount, 'parent'>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [code, letter, ...words] = line.split(' ') as [string, string, ...string[]];
      return { code, name: words.join(' '), type: TYPES[letter] as AccountType, isHeading };
    });
}

/** The heading with the longest code that begins the given one, or else the account. */
function parentCode(code: string, codes: ReadonlySet<string>): string | null {
  for (let length = code.length - 1; length > 0; length--) {
    const prefix = code.slice(0, length);
    if (codes.has(prefix)) return prefix;
  }
  return null;
}

/** Builds a chart from lines of code, letter of the type, and name; each account comes after its parent. */
export function buildChart(headings: string, accounts: string): readonly ChartAccount[] {
  const listed = [...parse(headings, true), ...parse(accounts, false)].sort((a, b) => (a.code < b.code ? -1 : 1));
  const codes = new Set(listed.map((account) => account.code));
  return listed.map((account) => ({ ...account, parent: parentCode(account.code, codes) }));
}

/** Builds the groups of a chart from beginnings of codes, separated by spaces. */
export function accountGroups(texts: Readonly<Record<AccountGroup, string>>): AccountGroups {
  const groups = Object.entries(texts).map(([group, codes]) => [group, codes.split(' ').filter((code) => code !== '')]);
  return Object.fromEntries(groups) as AccountGroups;
}

/** Whether an account is in a group of the chart. */
export function isIn({ groups }: Pick<AccountChart, 'groups'>, group: AccountGroup, code: string): boolean {
  return groups[group].some((beginning) => code.startsWith(beginning));
}

/** Patterns for `like any(…)` of a group's codes. */
export function likeGroup({ groups }: Pick<AccountChart, 'groups'>, group: AccountGroup): string[] {
  return groups[group].map((beginning) => `${beginning}%`);
}
