/** Which operation a line of an invoice is for taxes: tax kind, regime and goods or services decide (decisions, section 4 "Taxes"). */
import type { TaxRates } from '../documents/vat.ts';

export const TAX_OPERATIONS = [
  'domestic',
  'surcharge',
  'intra_eu_goods',
  'intra_eu_services',
  'export',
  'services_abroad',
  'import',
  'services_from_abroad',
  'reverse_charge',
  'exempt',
  'not_subject',
] as const;
export type TaxOperation = (typeof TAX_OPERATIONS)[number];

/** The buyer declares and deducts the tax himself, at the line's own rate. */
const SELF_CHARGED: readonly TaxOperation[] = [
  'intra_eu_goods',
  'intra_eu_services',
  'services_from_abroad',
  'reverse_charge',
];

/** @param goods whether the line is of goods; what has no item is a service */
export function taxOperation(
  side: 'sales' | 'purchase',
  taxKind: TaxRates['kind'],
  regime: string,
  goods: boolean,
): TaxOperation {
  if (taxKind !== 'vat') return taxKind;
  switch (regime) {
    case 'intra_eu':
      return goods ? 'intra_eu_goods' : 'intra_eu_services';
    case 'export':
      if (side === 'sales') return goods ? 'export' : 'services_abroad';
      return goods ? 'import' : 'services_from_abroad';
    case 'surcharge':
      return side === 'sales' ? 'surcharge' : 'domestic';
    case 'reverse_charge':
    case 'exempt':
    case 'not_subject':
      return regime;
    default:
      return 'domestic';
  }
}

/** Whether a purchase of this operation is taxed by the buyer. VAT of imported goods comes with the customs document. */
export function isSelfCharged(side: 'sales' | 'purchase', operation: TaxOperation): boolean {
  return side === 'purchase' && SELF_CHARGED.includes(operation);
}
