/** How an operation is taxed (decisions, section 4 "Taxes"): the line's tax gives the rate, the regime the treatment. */
import type { Decimal } from '../money.ts';

export const VAT_REGIMES = [
  'general',
  'surcharge',
  'intra_eu',
  'export',
  'reverse_charge',
  'exempt',
  'not_subject',
] as const;
export type VatRegime = (typeof VAT_REGIMES)[number];

export interface TaxRates {
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
}

/** The rates that are charged on the document itself; without VAT in all regimes but general and surcharge. */
export function chargedRates(
  tax: TaxRates,
  regime: VatRegime,
  side: 'sales' | 'purchase',
): { rate: Decimal; surchargeRate: Decimal } {
  const charged = tax.kind === 'vat' && (regime === 'general' || regime === 'surcharge');
  if (!charged) return { rate: '0', surchargeRate: '0' };
  return { rate: tax.rate, surchargeRate: regime === 'surcharge' && side === 'sales' ? tax.surchargeRate : '0' };
}
