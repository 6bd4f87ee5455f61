/**
 * Determines the tax operation of an invoice line from its tax kind, its regime, and whether it has goods or services.
 */

import type { Decimal } from '../../money.ts';
import type { ExemptionReason } from './exemptions.ts';
import type { TaxRates } from './vat.ts';

export const TAX_OPERATIONS = [
  'domestic',
  'surcharge',
  'cash_basis',
  'intra_eu_goods',
  'intra_eu_services',
  'export',
  'services_abroad',
  'oss_goods',
  'oss_services',
  'import',
  'services_from_abroad',
  'reverse_charge',
  'agricultural',
  'margin',
  'exempt',
  'not_subject',
] as const;
export type TaxOperation = (typeof TAX_OPERATIONS)[number];

/** A tax that the buyer self-assesses; rates in percent. */
export interface SelfCharge {
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
}

/** The buyer declares and deducts the tax, at the line's own rate. */
const SELF_CHARGED: readonly TaxOperation[] = [
  'intra_eu_goods',
  'intra_eu_services',
  'services_from_abroad',
  'reverse_charge',
];

/**
 * The operation of a sale that is free of VAT for a reason. Exports and their like keep the right to deduct (LIVA, art. 94), and are
 * declared apart from other exempt sales.
 */
const COUNTS_AS: Readonly<Record<ExemptionReason, TaxOperation>> = {
  E1: 'exempt',
  E2: 'export',
  E3: 'export',
  E4: 'export',
  E5: 'intra_eu_goods',
  E6: 'exempt',
  N1: 'not_subject',
  N2: 'services_abroad',
};

/** Sales to consumers in other member states, taxed there, which the company declares by the Union scheme (OSS). */
export function isUnionScheme(operation: TaxOperation): boolean {
  return operation === 'oss_goods' || operation === 'oss_services';
}

/** The tax operation of a line. @param goods whether the line has goods; lines without an item are services */
export function taxOperation(
  side: 'sales' | 'purchase',
  { kind, exemptionReason, consumptionCountry }: Pick<TaxRates, 'kind' | 'exemptionReason' | 'consumptionCountry'>,
  regime: string,
  goods: boolean,
): TaxOperation {
  if (side === 'sales' && exemptionReason) return COUNTS_AS[exemptionReason];
  if (kind !== 'vat') return kind;
  if (consumptionCountry) return goods ? 'oss_goods' : 'oss_services';
  switch (regime) {
    case 'intra_eu':
      return goods ? 'intra_eu_goods' : 'intra_eu_services';
    case 'export':
      if (side === 'sales') return goods ? 'export' : 'services_abroad';
      return goods ? 'import' : 'services_from_abroad';
    case 'surcharge':
      return side === 'sales' ? 'surcharge' : 'domestic';
    case 'reverse_charge':
    case 'agricultural':
    case 'margin':
    case 'exempt':
    case 'not_subject':
      return regime;
    default:
      return 'domestic';
  }
}

interface Purchased {
  readonly side: 'sales' | 'purchase';
  readonly operation: TaxOperation;
  readonly goods: boolean;
  /** The tax's own rates, whatever was charged. */
  readonly tax: SelfCharge;
  /** Whether the buyer is a retailer under the equivalence surcharge. */
  readonly retailer: boolean;
}

/**
 * The tax that the buyer self-assesses; null if none. VAT of imported goods comes with the customs document. A retailer
 * under the equivalence surcharge also self-assesses the surcharge, on goods (LIVA, art. 156).
 */
export function selfCharge({ side, operation, goods, tax, retailer }: Purchased): SelfCharge | null {
  if (side !== 'purchase' || !SELF_CHARGED.includes(operation)) return null;
  return { rate: tax.rate, surchargeRate: retailer && goods ? tax.surchargeRate : '0' };
}
