/** The balance sheet: assets, equity and liabilities by the headings of the annual accounts. */
import type { AccountChart } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';
import type { Form } from './forms/form.ts';
import { formFor } from './forms/index.ts';
import { type AccountBalance, contains, type FilledHeading, type Heading, isEmpty, Standings } from './headings.ts';

/** All amounts have one value for each day of the report. */
export interface BalanceSheetInput {
  /** Excludes income and expense accounts. */
  readonly accounts: readonly AccountBalance[];
  /** Income less expense of each day's fiscal year up to that day. */
  readonly result: readonly Decimal[];
  /** The same of earlier years not closed before that day. */
  readonly earlier: readonly Decimal[];
}

/**
 * Builds both sides by the form of the chart; their totals are equal. Customers with a credit balance and suppliers with a debit balance
 * stay under their headings, as the form nets them; current accounts (in Spain 550 to 554) go to the side of their own balance.
 */
export function balanceSheet(
  { accounts, result, earlier }: BalanceSheetInput,
  chart: Pick<AccountChart, 'country'>,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const form = formFor(chart);
  const standings = new Standings(result.length);
  for (const account of accounts) standings.add(account, (balance) => placeOnSheet(form, account, balance));
  for (const [column, amount] of result.entries()) standings.addAmount(form.result, column, amount);
  for (const [column, amount] of earlier.entries()) standings.addAmount(form.earlierResults, column, amount);
  return fillSides(standings, form, language);
}

/** Builds both sides from what stands under their headings. */
export function fillSides(
  standings: Standings,
  form: Form,
  language: Language,
): readonly [FilledHeading, FilledHeading] {
  const side = (declared: Heading, other: Heading): FilledHeading => {
    const apart = contains(declared, other) || isEmpty(standings.fill(other, language)) ? [] : [other];
    return standings.fill(declared, language, apart);
  };
  return [side(form.assets, form.others.asset), side(form.equityAndLiabilities, form.others.liability)];
}

/** Finds the heading of a balance (debit − credit) of an account, and whether debits are positive there, or credits. */
export function placeOnSheet(
  form: Form,
  { code, type }: Pick<AccountBalance, 'code' | 'type'>,
  balance: Decimal,
): { readonly at: Heading; readonly sign: 1 | -1 } {
  const [isAsset, typed] = [type === 'asset', form.typed === true];
  const asset = typed && !isAsset ? undefined : form.onAssets.find(code, balance);
  if (asset !== undefined) return { at: asset, sign: 1 };
  const liability = typed && isAsset ? undefined : form.onLiabilities.find(code, balance);
  if (liability !== undefined) return { at: liability, sign: -1 };
  return { at: form.others[type], sign: isAsset ? 1 : -1 };
}
