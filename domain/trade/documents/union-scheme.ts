/**
 * The Union scheme of VAT (one-stop shop, OSS): what is sold to consumers in other member states is taxed there, and declared here
 * (Directive 2006/112/EC, arts. 369a to 369k; LIVA, arts. 163 unvicies to quatervicies; decision 0376).
 */
import { EU_MEMBERS, isPersonsTaxId } from '../../identifiers.ts';
import type { Language } from '../../locale/formats.ts';

/** How a member state has a rate. */
export const RATE_KINDS = ['standard', 'reduced'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** A customer, and the countries of an invoice's addresses; null where it has none. */
export interface Customer {
  readonly taxId: string | null;
  readonly country: string;
  readonly billing: string | null;
  readonly shipping: string | null;
}

/**
 * The other member state in which a sale to a consumer is taxed: that of arrival for goods, that of the customer for services (LIVA,
 * arts. 68.Tres and 70). Tax ids of the other states are VAT numbers, so that whoever has one is a business.
 * @returns null if the customer is no consumer, or in no other state
 */
export function consumptionState({ taxId, country, billing, shipping }: Customer, goods: boolean): string | null {
  if (taxId !== null && !isPersonsTaxId(country, taxId)) return null;
  const state = (goods ? shipping : null) ?? billing ?? country;
  return EU_MEMBERS.includes(state) ? state : null;
}

const TEXT: Readonly<Record<Language, string>> = {
  es: 'Régimen especial de ventanilla única (OSS): IVA de',
  en: 'One-stop shop (OSS), Union scheme: VAT of',
};

/**
 * The words of an invoice for sales under the scheme, as its total contains the tax of other states.
 * @param states their codes, in any order and number
 * @returns null if there are none
 */
export function unionSchemeText(states: readonly string[], language: Language): string | null {
  if (states.length === 0) return null;
  return `${TEXT[language]} ${[...new Set(states)].sort().join(', ')}`;
}
