/** Puts the books of the companies of a group together: their balances, and what is eliminated (decisions 0367 and 0369). */
import { isOfResult } from '../../ledger/accounting/results.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import { type SetOff, setOff } from './equity.ts';
import type { GroupAccount, GroupItem } from './items.ts';
import { OWN_ACCOUNTS } from './own-accounts.ts';
import { type Difference, eliminateMutual } from './partners.ts';
import type { GroupSheet } from './statements.ts';

/** Spans of the statements: until the last day, in its fiscal year, and in the period. */
export type GroupSpan = 'end' | 'year' | 'period';

type Amounts = Readonly<Record<GroupSpan, Decimal>>;

/** An account of a company, as one of the parent. Amounts are debit − credit. */
export interface PlacedAccount extends Amounts {
  readonly account: GroupAccount;
}

/** The part of an account that is about another company; `own` is the balance of the whole account. */
export interface PlacedMutual extends PlacedAccount {
  /** Column of the other company. */
  readonly other: number;
  readonly own: Amounts;
}

/** A company with its column. The parent has all of itself. */
export interface PlacedCompany {
  readonly ownershipPercent: Decimal;
  readonly accounts: readonly PlacedAccount[];
  readonly mutual: readonly PlacedMutual[];
  /** Account of the parent on which the investment in it stands. */
  readonly investment: GroupAccount | null;
  readonly acquiredEquity: Decimal | null;
}

export interface Consolidated {
  readonly sheet: GroupSheet;
  /** Items of the profit and loss account. */
  readonly result: readonly GroupItem[];
  /** The minorities' share of the result of the period, by column. */
  readonly minorityResult: readonly Decimal[];
  readonly trialBalance: readonly GroupItem[];
  readonly differences: Readonly<Record<GroupSpan, readonly Difference[]>>;
}

/** @param companies the parent first @param places decimals of amounts */
export function consolidate(companies: readonly PlacedCompany[], places: number, language: Language): Consolidated {
  const named = new Named(language);
  const column = companies.length;
  const results = companies.map((company) => resultIn(company, 'year'));
  const earlier = companies.map((company, index) => minus(resultIn(company, 'end'), results[index] as Decimal));
  const setOffs = companies.slice(1).map((company, index) => {
    const member = { ...company, result: results[index + 1] as Decimal, earlier: earlier[index + 1] as Decimal };
    return equityItems(member, companies[0] as PlacedCompany, { column, places, named });
  });
  const ended = mutualIn(companies, 'end', named);
  const [year, period] = [mutualIn(companies, 'year', named), mutualIn(companies, 'period', named)];
  const balances = [...itemsIn(companies, 'end'), ...ended.items, ...setOffs.flatMap(({ items }) => items)];
  const minorities = sum(setOffs.map(({ minorityResult }) => minorityResult)).toFixed();
  const earlierGone = minus('0', sum(earlier.slice(1)).toFixed());
  const openYears = [...earlier, earlierGone].map((amount, at) => named.item('openYears', minus('0', amount), at));
  return {
    sheet: {
      items: balances,
      result: [...results, minus('0', minorities)],
      earlier: [...earlier, earlierGone],
    },
    result: [...itemsIn(companies, 'period'), ...period.items],
    minorityResult: companies.map((company) => shareOfOthers(company, places)),
    trialBalance: [
      ...balances,
      ...itemsIn(companies, 'year'),
      ...year.items,
      ...openYears,
      named.item('minorityResult', minorities, column),
    ],
    differences: { end: ended.differences, year: year.differences, period: period.differences },
  };
}

/** Makes items of the lines that only consolidation has. */
class Named {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  item(line: keyof typeof OWN_ACCOUNTS, amount: Decimal, column: number): GroupItem {
    const { code, name, type } = OWN_ACCOUNTS[line];
    const sided = line === 'differences' && decimal(amount).lt(0) ? 'liability' : type;
    return { account: { code, name: name[this.#language], type: sided }, column, amount, placedBy: amount };
  }
}

/** Income less expense. */
function resultIn({ accounts }: PlacedCompany, span: GroupSpan): Decimal {
  const ofResult = accounts.filter(({ account }) => isOfResult(account));
  return sum(ofResult.map((one) => one[span]))
    .neg()
    .toFixed();
}

function shareOfOthers(company: PlacedCompany, places: number): Decimal {
  const { ownershipPercent } = company;
  const nothing = { investment: null, acquiredEquity: null, equity: '0' as const };
  return setOff({ ownershipPercent, result: resultIn(company, 'period'), ...nothing }, places).minorityResult;
}

/** The companies' balances of the balance sheet (`end`), or those of income and expense. */
function itemsIn(companies: readonly PlacedCompany[], span: GroupSpan): GroupItem[] {
  return companies.flatMap(({ accounts }, column) =>
    accounts
      .filter(({ account }) => isOfResult(account) === (span !== 'end'))
      .map(({ account, [span]: amount }) => ({ account, column, amount, placedBy: amount })),
  );
}

function mutualIn(companies: readonly PlacedCompany[], span: GroupSpan, named: Named) {
  const balances = companies.flatMap(({ mutual }, company) =>
    mutual
      .filter(({ account }) => isOfResult(account) === (span !== 'end'))
      .map(({ account, other, own, [span]: amount }) => ({ account, company, other, amount, placedBy: own[span] })),
  );
  const { items, differences } = eliminateMutual(balances, companies.length);
  const line = span === 'end' ? 'differences' : 'resultDifferences';
  return {
    items: [...items, ...differences.map(({ amount }) => named.item(line, amount, companies.length))],
    differences,
  };
}

interface Place {
  readonly column: number;
  readonly places: number;
  readonly named: Named;
}

/** Sets the investment in a company off against its equity. */
function equityItems(
  member: PlacedCompany & { readonly result: Decimal; readonly earlier: Decimal },
  parent: PlacedCompany,
  { column, places, named }: Place,
): { readonly items: GroupItem[]; readonly minorityResult: Decimal } {
  const { investment: account } = member;
  const own = member.accounts.filter((one) => one.account.type === 'equity');
  const investment = account === null ? null : balanceOn(parent, account);
  const equity = minus(member.earlier, sum(own.map(({ end }) => end)).toFixed());
  const divided: SetOff = setOff({ ...member, equity, investment }, places);
  const gone = own.map((one) => ({ account: one.account, column, amount: minus('0', one.end), placedBy: one.end }));
  return {
    minorityResult: divided.minorityResult,
    items: [
      ...gone,
      ...(account === null || investment === null
        ? []
        : [{ account, column, amount: minus('0', investment), placedBy: investment }]),
      named.item('goodwill', divided.goodwill, column),
      named.item('reserves', minus('0', divided.reserves), column),
      named.item('minorities', minus('0', divided.minorities), column),
    ],
  };
}

function balanceOn({ accounts }: PlacedCompany, { code }: GroupAccount): Decimal {
  return sum(accounts.filter(({ account }) => account.code === code).map(({ end }) => end)).toFixed();
}

function minus(value: Decimal, less: Decimal): Decimal {
  return decimal(value).minus(less).toFixed();
}
