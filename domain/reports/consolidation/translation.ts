/**
 * Translates the books of a company with another currency by the method of the closing rate (NOFCAC, RD 1159/2010, arts. 59 to 66;
 * decision 0409): assets and debts at the rate of the last day, income and expense at the averages of their months, equity at the rate of
 * the first day in the group with what was earned since at the averages, and the rest as translation difference.
 */
import { isOfResult } from '../../ledger/accounting/results.ts';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import type { Amounts, PlacedAccount, Rates } from './companies.ts';
import type { OwnLines } from './own-accounts.ts';

/** Income or expense in a month. */
export interface MonthAmounts {
  /** First day. */
  readonly month: string;
  readonly year: Decimal;
  readonly period: Decimal;
  /** From the first day in the group until the fiscal year begins; only of whole accounts. */
  readonly earlier?: Decimal;
}

/** An account in the company's currency. Those of income and expense have the months of their amounts. */
export interface ForeignAccount extends PlacedAccount {
  readonly months: readonly MonthAmounts[];
}

/**
 * Translates an account. Income and expense of earlier years that are not closed are equity.
 * @param places decimals of amounts
 */
export function translate({ account, end, year, months }: ForeignAccount, rates: Rates, places: number): Amounts {
  const { closing, joined } = rates;
  if (!isOfResult(account)) {
    return { end: at(end, account.type === 'equity' ? joined : closing, places), year: '0', period: '0' };
  }
  const ofYear = round(inMonths(months, 'year', rates), places);
  const unclosed = at(decimal(end).minus(year).toFixed(), joined, places);
  return {
    end: sum([ofYear, unclosed]).toFixed(),
    year: ofYear,
    period: round(inMonths(months, 'period', rates), places),
  };
}

/**
 * The two lines that a translated company has besides its accounts, so that its column balances: what results of earlier years in the
 * group are worth more or less at the averages of their months than at the rate of the first day, and the translation difference.
 * @param accounts of the company, in its currency
 * @param translated the same, translated
 */
export function translationLines(
  accounts: readonly ForeignAccount[],
  translated: readonly Amounts[],
  rates: Rates,
  places: number,
  lines: OwnLines,
): PlacedAccount[] {
  const earned = accounts.map(({ months }) =>
    inMonths(months, 'earlier', rates).minus(sum(months.map(({ earlier = '0' }) => earlier)).div(rates.joined)),
  );
  const reserves = round(sum(earned), places);
  const difference = sum([...translated.map(({ end }) => end), reserves])
    .neg()
    .toFixed();
  const line = (name: 'reserves' | 'translation', end: Decimal): PlacedAccount => {
    return { account: lines.account(name, end), end, year: '0', period: '0' };
  };
  return [line('reserves', reserves), line('translation', difference)];
}

/** An amount of the company's currency in that of the parent. */
export function at(amount: Decimal, rate: Decimal, places: number): Decimal {
  return round(decimal(amount).div(rate), places);
}

function inMonths(months: readonly MonthAmounts[], span: 'year' | 'period' | 'earlier', rates: Rates): Exact {
  return sum(
    months.map(({ month, [span]: amount = '0' }) => {
      if (decimal(amount).eq(0)) return decimal(0);
      const average = rates.months[month];
      if (average === undefined) throw new Error(`there is no average rate of ${month}`);
      return decimal(amount).div(average);
    }),
  );
}
