/** The tax of a line: the one it names, else its base line's, else its item's, without item the company's default, with the rate that holds on the day. */
import { DOCUMENT_TYPES } from '../../../domain/documents/types.ts';
import type { LineToResolve } from './line.ts';
import type { BaseDocument, BaseLine, ItemReference, TaxReference } from './references.ts';

/**
 * @param known whether base and item are what the line names: else it is not asked for a tax that they would have
 * @returns undefined when there is none, which is added to the faults
 */
export function resolveTax(
  { type, line, pointer, references, faults }: LineToResolve,
  base: BaseLine | null,
  item: ItemReference | undefined,
  known: boolean,
): TaxReference | undefined {
  const fromItem = type.side === 'sales' ? item?.salesTaxGroupId : item?.purchaseTaxGroupId;
  const unnamed = item === undefined ? references.defaultTax[type.side] : fromItem;
  const taxGroupId = line.taxGroupId ?? base?.taxGroupId ?? unnamed ?? undefined;
  if (taxGroupId === undefined) {
    const whose = item === undefined ? 'there is no default tax for lines without item' : 'the item has no tax group';
    if (known) faults.add(`${pointer}/taxGroupId`, 'required', `${whose}: name one`);
    return undefined;
  }
  const named = references.taxes.get(taxGroupId);
  if (!named) {
    faults.add(`${pointer}/taxGroupId`, 'invalid_reference', 'refers to a tax group that does not exist');
    return undefined;
  }
  // Goods are taxed as on the day they were delivered, whenever they are invoiced; what is taken back, as it was charged.
  const asBefore = base !== null && !isOrder(references.bases.get(base.documentId));
  if (holdsOn(named, references.date) || (asBefore && taxGroupId === base.taxGroupId)) return named;
  // What nobody has named for this line follows its tax to the rate of the day.
  const ofDay = [...references.taxes.values()].find(
    (tax) => tax.code === named.code && line.taxGroupId === undefined && holdsOn(tax, references.date),
  );
  if (!ofDay) faults.add(`${pointer}/taxGroupId`, 'not_valid', `${named.code} is not valid on ${references.date}`);
  return ofDay;
}

function isOrder(document: BaseDocument | undefined): boolean {
  return document === undefined || DOCUMENT_TYPES[document.docType].kind === 'order';
}

function holdsOn({ validFrom, validTo }: TaxReference, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || validTo >= day);
}
