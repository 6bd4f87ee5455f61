/** Warnings about a document that was saved anyway. */
import type { FieldError } from '../../errors.ts';
import { isPersonsTaxId } from '../../identifiers.ts';
import { type Decimal, decimal } from '../../money.ts';

export const WARNING_CODES = [
  'no_price',
  'no_supplier_reference',
  'no_customs_document',
  'old_exchange_rate',
  'credit_limit',
  'date_before_last',
  'insufficient_stock_expected',
  'no_tax_id',
  'no_company_address',
  'no_address',
  'budget_exceeded',
  'investment_goods',
  'service_without_item',
] as const;

/** A warning: the place in the document, a code, and a message, like a fault. */
export interface Warning extends FieldError {
  readonly code: (typeof WARNING_CODES)[number];
}

/** A stock that has less than what is ordered. */
export interface ShortStock {
  readonly itemId: string;
  readonly warehouseId: string;
  /** On hand, less what other orders have set aside; in the item's own unit. */
  readonly available: Decimal;
}

/** Warns of each line of which the stock has less than it, and the lines before it, want. @param quantities in the item's own unit */
export function stockWarnings(
  lines: readonly {
    readonly itemId: string | null;
    readonly warehouseId: string | null;
    readonly baseQuantity: Decimal;
    /** Index of the document's line. */
    readonly index: number;
  }[],
  stocks: readonly ShortStock[],
): Warning[] {
  const left = new Map(
    stocks.map(({ itemId, warehouseId, available }) => [`${itemId} ${warehouseId}`, decimal(available)]),
  );
  const warned = new Set<number>();
  return lines.flatMap(({ index, ...line }) => {
    const stock = `${line.itemId} ${line.warehouseId}`;
    const available = left.get(stock);
    if (available === undefined) return [];
    left.set(stock, available.minus(line.baseQuantity));
    if (available.gte(line.baseQuantity) || warned.has(index)) return [];
    warned.add(index);
    const there = available.gt(0) ? available.toFixed() : '0';
    const message = `is more than the ${there} that are available: it cannot be delivered until more goods have come in`;
    return [{ pointer: `/lines/${index}/quantity`, code: 'insufficient_stock_expected', message }];
  });
}

/** Facts that decide whether an invoice states all that the law asks for. */
export interface InvoiceFacts {
  readonly taxId: string | null;
  readonly total: Decimal;
  /** The most that a simplified invoice may be of, with taxes. */
  readonly simplifiedLimit: Decimal;
  readonly hasCompanyAddress: boolean;
  /** Whether the invoice states the customer's street and town. */
  readonly hasCustomerAddress: boolean;
}

/** Warns of what an invoice misses by Spanish law (RD 1619/2012, art. 4 and 6.1). A customer without a tax id gets a simplified one. */
export function lawWarnings(facts: InvoiceFacts): Warning[] {
  const { taxId, total, simplifiedLimit, hasCompanyAddress, hasCustomerAddress } = facts;
  if (taxId === null) {
    if (decimal(total).lte(simplifiedLimit)) return [];
    const message = `must have a tax id because the invoice is of more than ${simplifiedLimit}, so that it cannot be simplified`;
    return [{ pointer: '/partnerId', code: 'no_tax_id', message }];
  }
  const warnings: Warning[] = [];
  if (!hasCompanyAddress) {
    const message = 'cannot be complete because the company has no address with a town: PUT /api/company';
    warnings.push({ pointer: '', code: 'no_company_address', message });
  }
  if (!isPersonsTaxId('ES', taxId) && !hasCustomerAddress) {
    const message = 'must have street and city because the invoice is not a simplified one';
    warnings.push({ pointer: '/billingAddress', code: 'no_address', message });
  }
  return warnings;
}
