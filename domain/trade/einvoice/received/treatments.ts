/** The meaning of a line's category (UNCL 5305) to the buyer. */
import { type Decimal, decimal } from '../../../money.ts';
import type { ReceivedLine, ReceivedParty } from './received.ts';

/** @param category S, Z, L, M, AE, K, G, E, O; null for none, which the rate tells */
export function lineTax(
  category: string | null,
  taxRate: Decimal,
  seller: ReceivedParty,
): Pick<ReceivedLine, 'taxRate' | 'treatment'> {
  const abroad = seller.country !== null && seller.country !== 'ES';
  switch (category) {
    case 'AE':
      return { taxRate: '0', treatment: abroad ? 'intra_eu' : 'reverse_charge' };
    case 'K':
      return { taxRate: '0', treatment: 'intra_eu' };
    case 'E':
    case 'G':
      return { taxRate: '0', treatment: 'exempt' };
    case 'O':
      return { taxRate: '0', treatment: 'not_subject' };
    default:
      return { taxRate, treatment: category === null && decimal(taxRate).eq(0) ? 'exempt' : 'taxed' };
  }
}
