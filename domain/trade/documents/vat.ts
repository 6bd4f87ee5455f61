/** Taxation of operations: the line's tax gives the rate, the regime the treatment. */

import { type Decimal, sum } from '../../money.ts';
import type { ExemptionReason } from './exemptions.ts';

export const VAT_REGIMES = [
  'general',
  'surcharge',
  'intra_eu',
  'export',
  'reverse_charge',
  'agricultural',
  'margin',
  'exempt',
  'not_subject',
] as const;
export type VatRegime = (typeof VAT_REGIMES)[number];

/**
 * Compensations in percent that buyers pay to suppliers under the farming scheme (REAGP), who charge no VAT: of farming and forestry, and
 * of livestock and fishing (LIVA, art. 130.Cinco).
 */
export const COMPENSATIONS: readonly Decimal[] = ['12', '10.5'];

/** Use of purchased goods and services, which decides whether their tax is deductible. */
export const VAT_USES = ['current', 'investment', 'none'] as const;
export type VatUse = (typeof VAT_USES)[number];

export interface TaxRates {
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
  /** Why sales bear no VAT; none = what is usual for the kind. */
  readonly exemptionReason?: ExemptionReason | null;
  /** The member state whose tax it is; none = the company's own. */
  readonly consumptionCountry?: string | null;
}

const CHARGED: readonly VatRegime[] = ['general', 'surcharge', 'agricultural'];

/**
 * The rates charged on the document: no VAT in any regime other than general and surcharge; in `agricultural`, the rate of
 * the tax is the compensation. The surcharge depends on
 * the buyer: on sales, on the customer's regime; on purchases of goods, on the company's own (`ownSurcharge`; LIVA,
 * art. 156).
 */
export function chargedRates(
  tax: TaxRates,
  regime: VatRegime,
  side: 'sales' | 'purchase',
  { ownSurcharge = false }: { readonly ownSurcharge?: boolean } = {},
): { rate: Decimal; surchargeRate: Decimal } {
  const charged = tax.kind === 'vat' && CHARGED.includes(regime);
  if (!charged) return { rate: '0', surchargeRate: '0' };
  const surcharged = side === 'sales' ? regime === 'surcharge' : ownSurcharge;
  return { rate: tax.rate, surchargeRate: surcharged ? tax.surchargeRate : '0' };
}

/**
 * The percentage of tax included in a price with tax: the rate of the tax, plus its surcharge under the surcharge
 * regime. It is included even if the operation bears no VAT, so that all customers are charged the same net price.
 */
export function includedPercent(tax: TaxRates, regime: VatRegime, side: 'sales' | 'purchase'): Decimal {
  // Under the margin scheme, the price contains a tax that the customer is not told.
  if (tax.kind !== 'vat' || regime === 'margin') return '0';
  const withSurcharge = regime === 'surcharge' && side === 'sales';
  return withSurcharge ? sum([tax.rate, tax.surchargeRate]).toFixed() : tax.rate;
}
