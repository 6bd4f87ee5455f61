/**
 * The tax of a line: the named one, else its base line's, else its item's, without an item the company's default, with the rate valid on
 * the day of the supply.
 */
import { DOCUMENT_TYPES } from '../../../domain/documents/types.ts';
import type { LineToResolve } from './line.ts';
import type { BaseDocument, BaseLine, ItemReference, TaxReference } from './references.ts';

/**
 * @param known whether base and item exist: otherwise their missing tax is not reported
 * @returns undefined if there is none, which is added to the faults
 */
export function resolveTax(
  { type, line, pointer, references, taxDay, faults }: LineToResolve,
  base: BaseLine | null,
  item: ItemReference | undefined,
  known: boolean,
): TaxReference | undefined {
  const fromItem = type.side === 'sales' ? item?.salesTaxGroupId : item?.purchaseTaxGroupId;
  const unnamed = item === undefined ? references.defaultTax[type.side] : fromItem;
  const taxGroupId = line.taxGroupId ?? base?.taxGroupId ?? unnamed ?? undefined;
  if (taxGroupId === undefined) {
    const whose =
      item === undefined ? 'there is no default tax for lines without an item' : 'the item has no tax group';
    if (known) faults.add(`${pointer}/taxGroupId`, 'required', `${whose}; name one`);
    return undefined;
  }
  const named = references.taxes.get(taxGroupId);
  if (!named) {
    faults.add(`${pointer}/taxGroupId`, 'invalid_reference', 'refers to a tax group that does not exist');
    return undefined;
  }
  // Goods are taxed by the date of their delivery, whenever they are invoiced; what is taken back, as it was charged.
  const asBefore = base !== null && !isOrder(references.bases.get(base.documentId));
  if (holdsOn(named, taxDay) || (asBefore && taxGroupId === base.taxGroupId)) return named;
  // A tax that was not named for this line changes to the rate of the date.
  const ofDay = [...references.taxes.values()].find(
    (tax) => tax.code === named.code && line.taxGroupId === undefined && holdsOn(tax, taxDay),
  );
  if (!ofDay) faults.add(`${pointer}/taxGroupId`, 'not_valid', `${named.code} is not valid on ${taxDay}`);
  return ofDay;
}

function isOrder(document: BaseDocument | undefined): boolean {
  return document === undefined || DOCUMENT_TYPES[document.docType].kind === 'order';
}

function holdsOn({ validFrom, validTo }: TaxReference, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || validTo >= day);
}
