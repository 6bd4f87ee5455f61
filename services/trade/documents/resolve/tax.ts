/**
 * The tax of a line: the named one, otherwise its base line's, otherwise its item's, or the company's default for lines
 * without an item. Its rate is the one valid on the day of supply.
 */
import type { Faults } from '../../../../domain/faults.ts';
import { findTaxSet } from '../../../../domain/ledger/accounting/charts/taxes/index.ts';
import { taxName } from '../../../../domain/trade/documents/tax-sets.ts';
import { DOCUMENT_TYPES, type DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseDocument, BaseLine, ItemReference, References, TaxReference } from './references.ts';
import { type ConsumptionStates, taxOfState } from './union-scheme.ts';

interface LineToTax {
  readonly type: DocumentTypeInfo;
  readonly line: DocumentLineInput;
  /** Pointer to the line in the body, e.g. /lines/3 */
  readonly pointer: string;
  readonly references: References;
  /** The day whose rates apply. */
  readonly taxDay: string;
  /** The line's regime. */
  readonly vatRegime: VatRegime;
  readonly states: ConsumptionStates;
  readonly faults: Faults;
}

/**
 * Resolves the tax of a line.
 * @param known whether base and item exist; otherwise their missing tax is not reported
 * @returns undefined if there is no tax, which is added to the faults
 */
export function resolveTax(
  { type, line, pointer, references, taxDay, vatRegime, states, faults }: LineToTax,
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
  const set = findTaxSet(named.code);
  if (set !== null && set !== references.taxSet && base === null) {
    const [other, own] = [taxName(set, 'en'), taxName(references.taxSet, 'en')];
    const message = `cannot be ${named.code} because it is of ${other}, and the company charges ${own}`;
    faults.add(`${pointer}/taxGroupId`, 'not_applicable', message);
    return undefined;
  }
  const state = states[item?.type === 'product' ? 'goods' : 'services'];
  if (state !== null && line.taxGroupId === undefined && base === null && vatRegime === 'general')
    return taxOfState({ usual: named, state, day: taxDay, pointer }, references, faults);
  // Goods are taxed by their delivery date, no matter when they are invoiced; whatever is taken back, as it was
  // charged.
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
