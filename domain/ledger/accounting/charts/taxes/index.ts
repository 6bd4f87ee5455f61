/** The chart of a company with the accounts and taxes of the indirect tax that it charges. */
import type { TaxSet } from '../../../../trade/documents/tax-sets.ts';
import type { AccountChart, ChartAccount, TaxSeed } from '../chart.ts';
import { SPANISH_TAXES } from '../es-pgc-pymes.ts';
import { IGIC } from './igic.ts';
import { IPSI } from './ipsi.ts';
import type { TaxSetSeed } from './seed.ts';
import { UNION } from './union.ts';

const SEEDS: Readonly<Record<Exclude<TaxSet, 'vat'>, TaxSetSeed>> = { igic: IGIC, ipsi: IPSI };

/** Codes of the general rate of VAT: of each country, and without a known rate. */
export const GENERAL_VAT = ['IVA21', 'TVA20', 'IVA23', 'UST19', 'VAT', 'VAT0'];

/** Codes of the general rate, the default of items and lines. */
export function generalTaxes(set: TaxSet): readonly string[] {
  return set === 'vat' ? GENERAL_VAT : SEEDS[set].general;
}

/** The indirect taxes by the codes with which companies in Spain begin. */
const SET_BY_CODE: ReadonlyMap<string, TaxSet> = new Map([
  ...SPANISH_TAXES.map(({ code }) => [code, 'vat'] as const),
  ...IGIC.taxes.map(({ code }) => [code, 'igic'] as const),
  ...IPSI.taxes.map(({ code }) => [code, 'ipsi'] as const),
]);

/** The indirect tax that a tax is of, by its code; null for those that a company has made itself. */
export function findTaxSet(code: string): TaxSet | null {
  return SET_BY_CODE.get(code) ?? null;
}

type WithTaxes = Pick<AccountChart, 'accounts'> & { readonly taxes: readonly TaxSeed[] };

/**
 * The accounts of a chart with those of a tax, and the taxes of a company in a country. Charts of other countries than Spain have no
 * accounts of IGIC and IPSI.
 */
export function withTaxSet(chart: AccountChart, set: TaxSet, country: string): WithTaxes {
  if (set === 'vat') return { accounts: chart.accounts, taxes: chart.taxes(country) };
  return withSeed(chart, SEEDS[set], []);
}

/** The same with the taxes of the other member states, which a company under the Union scheme charges (decision 0376). */
export function withUnionScheme(chart: AccountChart, country: string): WithTaxes {
  return withSeed(chart, UNION, chart.taxes(country));
}

function withSeed(
  chart: AccountChart,
  { accounts, taxes }: Pick<TaxSetSeed, 'accounts' | 'taxes'>,
  others: readonly TaxSeed[],
): WithTaxes {
  if (chart.country !== 'ES')
    return { accounts: chart.accounts, taxes: [...others, ...taxes.map((tax) => ({ ...tax, accounts: {} }))] };
  const own = accounts.map(
    (account): ChartAccount => ({ ...account, isHeading: false, parent: account.code.slice(0, -1) }),
  );
  return { accounts: [...chart.accounts, ...own], taxes: [...others, ...taxes] };
}
