/** The taxes of other member states on sales to their consumers, by the Union scheme (OSS; decision 0376). */
import type { Faults } from '../../../../domain/faults.ts';
import { GENERAL_VAT } from '../../../../domain/ledger/accounting/charts/taxes/index.ts';
import { decimal } from '../../../../domain/money.ts';
import type { DocumentSide } from '../../../../domain/trade/documents/types.ts';
import { consumptionState } from '../../../../domain/trade/documents/union-scheme.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { DocumentInput } from '../schemas.ts';
import type { PartnerReference, References, TaxReference } from './references.ts';

/** The states in which what a document sells is taxed, if a consumer in another state buys it. */
export interface ConsumptionStates {
  readonly goods: string | null;
  readonly services: string | null;
}

const NONE: ConsumptionStates = { goods: null, services: null };

/** Whether the company is under the scheme on a day. */
function isUnderScheme({ ossFrom, taxSet }: Pick<References, 'ossFrom' | 'taxSet'>, day: string): boolean {
  return ossFrom !== null && ossFrom <= day && taxSet === 'vat';
}

/** @param day on which tax is due */
export function consumptionStates(
  side: DocumentSide,
  { billingAddress, shippingAddress }: Pick<DocumentInput, 'billingAddress' | 'shippingAddress'>,
  { nif, country, addresses }: PartnerReference,
  references: Pick<References, 'ossFrom' | 'taxSet'>,
  day: string,
): ConsumptionStates {
  if (side === 'purchase' || !isUnderScheme(references, day)) return NONE;
  const customer = {
    taxId: nif,
    country,
    billing: (billingAddress ?? addresses?.B)?.countryCode ?? null,
    shipping: (shippingAddress ?? addresses?.S)?.countryCode ?? null,
  };
  return { goods: consumptionState(customer, true), services: consumptionState(customer, false) };
}

interface Proposed {
  /** The tax that the line would have at home. */
  readonly usual: TaxReference;
  readonly state: string;
  readonly day: string;
  readonly pointer: string;
}

/**
 * The standard rate of a state in place of the general rate at home. What is taxed at a reduced rate here may not be there, so that the
 * line has to name its tax.
 * @returns undefined if the line has to name it, which is added to the faults
 */
export function taxOfState(
  { usual, state, day, pointer }: Proposed,
  { taxes }: Pick<References, 'taxes'>,
  faults: Faults,
): TaxReference | undefined {
  if (usual.kind !== 'vat') return usual;
  const all = [...taxes.values()];
  const general = all.find(({ code }) => GENERAL_VAT.includes(code));
  const found = all.find(
    ({ consumptionCountry, rateKind, validFrom, validTo }) =>
      consumptionCountry === state &&
      rateKind === 'standard' &&
      (validFrom === null || validFrom <= day) &&
      (validTo === null || validTo >= day),
  );
  if (general === undefined || !decimal(general.rate).eq(usual.rate)) {
    const message = `must name the tax of ${state}, because ${usual.code} is not at the general rate`;
    faults.add(`${pointer}/taxGroupId`, 'required', message);
  } else if (found === undefined) {
    const message = `must name the tax of ${state}, because there is none at its standard rate on ${day}`;
    faults.add(`${pointer}/taxGroupId`, 'required', message);
  } else return found;
  return undefined;
}

/** Refuses taxes of other states but on sales to their consumers, in euros, by a company under the scheme. */
export function checkTaxOfState(
  { consumptionCountry: state }: Pick<TaxReference, 'consumptionCountry'>,
  { side, regime, day, pointer }: { side: DocumentSide; regime: VatRegime; day: string; pointer: string },
  references: Pick<References, 'ossFrom' | 'taxSet' | 'currency' | 'companyCurrency'>,
  faults: Faults,
): void {
  if (state === null) return;
  const refuse = (why: string) =>
    faults.add(`${pointer}/taxGroupId`, 'not_applicable', `cannot be a tax of ${state} because ${why}`);
  if (side === 'purchase') refuse('only sales to consumers there bear it');
  else if (!isUnderScheme(references, day)) refuse(`the company is not under the Union scheme on ${day} (ossFrom)`);
  else if (regime !== 'general') refuse(`the regime is ${regime}, and only consumers bear it`);
  else if (references.currency !== references.companyCurrency)
    refuse(`the document is in ${references.currency}, and the return converts at the end of the quarter`);
}
