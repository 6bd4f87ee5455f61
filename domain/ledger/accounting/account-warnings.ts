/** Warnings about accounts that lines of an invoice name. */
import { type Decimal, decimal } from '../../money.ts';
import type { Warning } from '../../trade/documents/warnings.ts';
import { LEAST_VALUE } from './investment-goods.ts';

/** A line of an invoice that names its account. */
export interface AccountedLine {
  /** Index of the document's line. */
  readonly index: number;
  /** Code of the account in a chart of Spain. */
  readonly account: string;
  readonly itemId: string | null;
  readonly vatUse: string;
  readonly vatRegime: string;
  /** Without tax, in the currency of the company. */
  readonly amount: Decimal;
}

/** Intangible and tangible fixed assets, investment property, and assets under construction. */
const FIXED_ASSETS = /^2[0-3]/;
/** Tangible assets, and goods that are bought and sold. */
const GOODS = /^(2[1-3]|60[0-2]|70[0-4])/;

/**
 * Warns of lines whose account says something else than what the returns will: an investment good that is deducted like current goods
 * (LIVA, art. 108), and goods of another country that would be declared as a service.
 */
export function accountWarnings(side: 'sales' | 'purchase', lines: readonly AccountedLine[]): Warning[] {
  return lines.flatMap(({ index, account, itemId, vatUse, vatRegime, amount }) => {
    const warnings: Warning[] = [];
    if (side === 'purchase' && vatUse === 'current' && FIXED_ASSETS.test(account) && decimal(amount).gt(LEAST_VALUE)) {
      const message = `is current, and account ${account} is of fixed assets: investment is for what is used longer than a year`;
      warnings.push({ pointer: `/lines/${index}/vatUse`, code: 'investment_goods', message });
    }
    if (itemId === null && (vatRegime === 'intra_eu' || vatRegime === 'export') && GOODS.test(account)) {
      const message = `is missing, so that the returns have a service; account ${account} is of goods, which have an item`;
      warnings.push({ pointer: `/lines/${index}/itemId`, code: 'service_without_item', message });
    }
    return warnings;
  });
}
