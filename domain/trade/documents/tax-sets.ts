/** The indirect taxes of Spain's territories, of which a company charges one (decision 0364). */
import type { Language } from '../../locale/formats.ts';

export const TAX_SETS = ['vat', 'igic', 'ipsi'] as const;
/**
 * VAT; IGIC of the Canary Islands (Ley 20/1991), and IPSI of Ceuta and Melilla (Ley 8/1991), which are outside the territory of VAT
 * (LIVA, art. 3).
 */
export type TaxSet = (typeof TAX_SETS)[number];

/** By the province with which postal codes begin: Las Palmas, Santa Cruz de Tenerife, Ceuta, Melilla. */
const BY_PROVINCE: Readonly<Record<string, TaxSet>> = { '35': 'igic', '38': 'igic', '51': 'ipsi', '52': 'ipsi' };

/** The indirect tax of a place. @param country ISO 3166 code */
export function taxSetFor(country: string, zipCode: string | null | undefined): TaxSet {
  if (country !== 'ES' || !/^\d{5}$/.test(zipCode ?? '')) return 'vat';
  return BY_PROVINCE[(zipCode ?? '').slice(0, 2)] ?? 'vat';
}

const NAMES: Readonly<Record<TaxSet, Readonly<Record<Language, string>>>> = {
  vat: { es: 'IVA', en: 'VAT' },
  igic: { es: 'IGIC', en: 'IGIC' },
  ipsi: { es: 'IPSI', en: 'IPSI' },
};

/** The name of an indirect tax as papers and messages have it. */
export function taxName(set: TaxSet, language: Language): string {
  return NAMES[set][language];
}

/** Regimes that only VAT has here: trade within the Union, the equivalence surcharge, and the margin scheme. */
const OF_VAT: readonly string[] = ['intra_eu', 'surcharge', 'margin'];

/** Whether a regime of documents exists in an indirect tax. The farming scheme is of VAT and IGIC. */
export function hasRegime(set: TaxSet, regime: string): boolean {
  if (regime === 'agricultural') return set !== 'ipsi';
  return set === 'vat' || !OF_VAT.includes(regime);
}
