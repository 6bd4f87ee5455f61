/** What a person should look at in a document that was written all the same (decision 0115). */
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import type { FieldError } from '../../domain/errors.ts';
import { decimal } from '../../domain/money.ts';
import type { DocumentInput } from './input.ts';
import type { References } from './references.ts';
import type { DocumentRow, LineRow } from './stored.ts';

export const WARNING_CODES = ['no_price', 'no_supplier_reference', 'credit_limit', 'date_before_last'] as const;

/** Like a fault: where in the document, a code, and what about it. */
export interface Warning extends FieldError {
  readonly code: (typeof WARNING_CODES)[number];
}

/** The answer of a write; what is as it should be has no member `warnings`. */
export function withWarnings(answer: Record<string, unknown>, warnings: readonly Warning[]): Record<string, unknown> {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}

/** What the head lacks. */
export function headWarnings({ docType, supplierReference }: DocumentRow): Warning[] {
  if (docType !== 'PINV' || supplierReference !== null) return [];
  const message = "is missing: without the supplier's number the same invoice could be entered twice";
  return [{ pointer: '/supplierReference', code: 'no_supplier_reference', message }];
}

/**
 * Lines that cost nothing although nobody said so: neither the client, nor a base, nor a price list.
 * @param input as it was resolved into `lines`, one by one
 */
export function priceWarnings(
  { lines: given }: Pick<DocumentInput, 'lines'>,
  lines: readonly LineRow[],
  { priceList }: Pick<References, 'priceList'>,
): Warning[] {
  return lines.flatMap((line, index) => {
    const isFree = priceList?.prices
      .get(line.itemId ?? '')
      ?.some(({ price }) => price !== null && decimal(price).eq(0));
    const asked = given[index]?.price !== undefined || line.baseId !== null || isFree === true;
    if (asked || !decimal(line.price).eq(0)) return [];
    const message = 'is 0: there is no price of the item, and none was given';
    return [{ pointer: `/lines/${index}/price`, code: 'no_price', message }];
  });
}

/** The number before, where it is dated later. */
export interface LaterNumber {
  readonly code: string;
  readonly date: string;
  /** Whether it is dated even after this document's period. */
  readonly afterPeriod: boolean;
}

/** SQL of a `LaterNumber`, beside a part `written` with the number that was taken; the index of numbers finds it. */
export const LATER_SQL = `(select json_build_object('code', l.code, 'date', l.date, 'afterPeriod', l.date > p."to")
  from (select code, date from documents where series_id = :seriesId and number < written.number order by number desc limit 1) l
  join periods p on p.id = :periodId where l.date > :ownDate::date)`;

export function dateWarnings(date: string, later: LaterNumber | null): Warning[] {
  if (later === null) return [];
  return [{ pointer: '/date', code: 'date_before_last', message: `is ${date}, before ${later.code} of ${later.date}` }];
}

/** Whether it adds to what a customer may come to owe, and nothing else: what takes back does not. */
export function isSale({ docType, rectifying, returns }: DocumentRow): boolean {
  return DOCUMENT_TYPES[docType].side === 'sales' && !rectifying && returns === null;
}
