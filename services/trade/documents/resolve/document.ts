/** Completes a client's input to a document: fills in defaults, checks references, and points at every fault. */

import { newId } from '../../../../db/ids.ts';
import { Faults } from '../../../../domain/faults.ts';
import { firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { assertOpenFor } from '../../../../domain/ledger/periods/areas.ts';
import { type Decimal, decimal, optionalDecimal } from '../../../../domain/money.ts';
import { type AmountsToConvert, companyAmounts } from '../../../../domain/trade/documents/company-amounts.ts';
import { documentStep, type Step } from '../../../../domain/trade/documents/progress.ts';
import { substitutionTotals } from '../../../../domain/trade/documents/substitution.ts';
import { type DocumentTotals, documentTotals } from '../../../../domain/trade/documents/totals.ts';
import {
  beginsAsDraft,
  DOCUMENT_STATUS,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentTypeInfo,
} from '../../../../domain/trade/documents/types.ts';
import { noPeriodMessage } from '../../../ledger/periods/open-year.ts';
import { pauses } from '../../../platform/threads/pauses.ts';
import { documentArea } from '../day.ts';
import type { PreparedDocument } from '../prepared.ts';
import type { DocumentInput } from '../schemas.ts';
import { BaseLines } from './base-lines.ts';
import { checkBases, firstBase } from './bases.ts';
import { hasDeferredTax, isOnCashBasis } from './cash-basis.ts';
import { checkCorrected, correctedId, withCorrectedLines } from './corrected.ts';
import { resolveExchange } from './currency.ts';
import { resolveCustomsDocument } from './customs-document.ts';
import { withCorrected } from './dimensions.ts';
import { checkDiscount, type KeptShares, withShares } from './discount.ts';
import { invoiceDates, issueDate, taxDate } from './invoice-dates.ts';
import { type ResolvedLine, resolveLine } from './line.ts';
import { checkAssignments } from './line-details.ts';
import { computeLostTaxes, purchaseDeductionRegime, purchaseProRata } from './lost-tax.ts';
import type { References } from './references.ts';
import { checkRegimes } from './regimes.ts';
import { checkSubstitution, substitutes } from './substitution.ts';
import { duePlan, promptDiscount, resolveTerms } from './terms.ts';
import { consumptionStates } from './union-scheme.ts';

/** Upper bound of amounts, which must be exact as JSON numbers. */
const AMOUNT_LIMIT = '1e12';

/**
 * Resolves a new document against its references. Between the lines of a long one, others have their turn.
 * @param found what it refers to
 * @param kept shares in the document's discount and charge that stay, as goods have taken them along
 * @throws ServiceError validation_failed with a pointer for each fault; period_closed; invalid_transition if a base has
 * a status that allows no follow-up
 */
export async function resolveDocument(
  docType: DocType,
  given: DocumentInput,
  found: References,
  kept: KeptShares = new Map(),
): Promise<PreparedDocument> {
  const references = withCorrected(found, found.bases.get(correctedId(given) ?? ''));
  const type = DOCUMENT_TYPES[docType];
  const input = withCorrectedLines(given, references);
  const faults = new Faults();
  const partner = resolvePartner(type, input, references, faults);
  const series = resolveSeries(type, input, references, faults);
  const period = resolvePeriod(input, references, faults);
  const warehouseId = resolveWarehouse(input, references, faults);
  const rectifying = series?.rectifying ?? false;
  const step: Step = documentStep(type.kind, { returns: input.returns !== undefined, rectifies: rectifying });
  checkCorrected(type, input, rectifying, references, faults);
  checkBases(type, step, input, references, faults);
  checkAssignments(input, '', references, faults);
  checkDiscount(input, references, faults);
  const exchangeRate = resolveExchange(input, references, faults);
  const base = firstBase(input, references);
  const takesBack = rectifying || input.returns !== undefined;
  const dates = invoiceDates(type, input, references.date, faults);
  const issued = issueDate(dates, references.date);
  const ofBase = base?.paymentTerms ?? null;
  if (input.validUntil !== undefined && input.validUntil < references.date) {
    faults.add('/validUntil', 'out_of_range', 'must not be before the date of the document');
  }
  if (input.deliveryDate !== undefined && input.deliveryDate < references.date) {
    faults.add('/deliveryDate', 'out_of_range', 'must not be before the date of the document');
  }
  const terms = resolveTerms(input, { ofBase, takesBack, date: issued }, references, faults);
  faults.throwIfAny();
  if (!partner || !series || !period) throw new Error('a document without faults has partner, series and period');
  assertOpenFor(period, documentArea(docType), periodPointer(input));

  const vatRegime = input.vatRegime ?? base?.vatRegime ?? partner.vatRegime;
  checkRegimes(type, input, vatRegime, references, faults);
  const bases = new BaseLines(step, references);
  const { returnStock = false } = input;
  const taxDay = taxDate(dates, references.date);
  const deductionRegime = purchaseDeductionRegime(type, references.bases.get(correctedId(input) ?? ''), references);
  const corrected = references.bases.get(correctedId(input) ?? '');
  const cashBasis = isOnCashBasis(type, { asked: input.cashBasis, corrected, partner, taxDay }, references);
  const salespersonId =
    type.side === 'sales' ? (input.salespersonId ?? base?.salespersonId ?? partner.salespersonId) : null;
  const shared = {
    type,
    step,
    references,
    warehouseId,
    vatRegime,
    deductionRegime,
    salespersonId,
    head: firstDimensions(input),
    taxDay,
    states: consumptionStates(type.side, input, partner, references, taxDay),
    cashBasis,
    bases,
    returnStock,
    faults,
  };
  const pause = pauses();
  const lines: (ResolvedLine | null)[] = [];
  for (const [index, line] of input.lines.entries()) {
    lines.push(resolveLine({ ...shared, line, pointer: `/lines/${index}` }));
    await pause();
  }
  faults.throwIfAny();
  const places = references.decimalPrecision;
  const resolved = withShares(input, lines as readonly ResolvedLine[], { step, places, kept }, faults);
  faults.throwIfAny();
  const withholdingRate = decimal(input.withholdingRate ?? base?.withholdingRate ?? partner.withholdingRate).toFixed();
  const proRata = purchaseProRata(type, references.bases.get(input.rectifies ?? ''), references);
  if (substitutes(input)) checkSubstitution(resolved, references.bases.get(input.rectifies ?? ''), faults);
  faults.throwIfAny();
  const totalled = substitutes(input) ? substitutionTotals : documentTotals;
  const totals = totalled(resolved, withholdingRate, places);
  checkRange(totals.amounts, totals.total, faults);
  await pause();
  const deducted = { lines: resolved, vatRegime, proRata, deductionRegime };
  const lost = computeLostTaxes(type, { ...deducted, totals }, references, places);
  const company =
    exchangeRate === null
      ? null
      : companyAmounts(
          unconvertedAmounts(input, resolved, totals, withholdingRate),
          exchangeRate,
          references.companyPlaces,
        );
  const companyLost =
    company && computeLostTaxes(type, { ...deducted, totals: company }, references, references.companyPlaces);
  const amounts = { lines: resolved, amounts: (company ?? totals).amounts, vatRegime, rectifying };
  const customsDocument = resolveCustomsDocument(input.customsDocument, amounts, references, faults);
  faults.throwIfAny();
  return {
    id: newId(),
    docType,
    status: beginsAsDraft(type.kind) ? DOCUMENT_STATUS.draft : DOCUMENT_STATUS.open,
    seriesId: series.id,
    seriesPrefix: series.prefix,
    periodId: period.id,
    partnerId: partner.id,
    partner,
    date: references.date,
    ...dates,
    ...duePlan(type, input, terms, { places, partner, total: totals.total, date: issued }),
    ...promptDiscount(type, { partner, total: totals.total, date: issued, takesBack }),
    validUntil: input.validUntil ?? null,
    deliveryDate: input.deliveryDate ?? (type.kind === 'order' ? (base?.deliveryDate ?? null) : null),
    warehouseId,
    reference: input.reference ?? null,
    supplierReference: input.supplierReference ?? null,
    customsDocument,
    notes: input.notes ?? null,
    internalNotes: input.internalNotes ?? null,
    tags: input.tags ?? [],
    billingAddress: input.billingAddress ?? partner.addresses?.B ?? null,
    shippingAddress: input.shippingAddress ?? partner.addresses?.S ?? null,
    vatRegime,
    withholdingRate,
    proRata,
    deductionRegime,
    cashBasis: cashBasis && (type.side === 'purchase' || hasDeferredTax(resolved, vatRegime, references)),
    projectId: input.projectId ?? null,
    costCenterId: input.costCenterId ?? null,
    salespersonId,
    rectifies: input.rectifies ?? null,
    returns: input.returns ?? null,
    reason: input.reason ?? null,
    rectificationType: input.rectificationType ?? null,
    rectificationMethod: substitutes(input) ? 'substitution' : null,
    returnStock: input.returnStock ?? false,
    rectifying,
    discountPercent: optionalDecimal(input.discountPercent),
    discountAmount: optionalDecimal(input.discountAmount),
    chargeAmount: optionalDecimal(input.chargeAmount),
    chargeText: input.chargeText ?? (input.chargeAmount === undefined ? (base?.chargeText ?? null) : null),
    currency: references.currency,
    exchangeRate,
    companySubtotal: company?.subtotal ?? null,
    companyTaxTotal: company?.taxTotal ?? null,
    companyWithholdingAmount: company?.withholdingAmount ?? null,
    companyTotal: company?.total ?? null,
    totals,
    lines: resolved.map((line, index) => ({
      ...line,
      id: newId(),
      lineNumber: index + 1,
      amount: totals.amounts[index] ?? '0',
      companyAmount: company?.amounts[index] ?? null,
      lostTax: lost[index] ?? '0',
      companyLostTax: companyLost?.[index] ?? null,
    })),
  };
}

/** The amounts of a resolved document, to be converted. */
function unconvertedAmounts(
  input: DocumentInput,
  lines: readonly ResolvedLine[],
  { amounts, taxes }: DocumentTotals,
  withholdingRate: Decimal,
): AmountsToConvert {
  const withAmounts = lines.map((line, index) => ({ ...line, amount: amounts[index] ?? '0' }));
  return { lines: withAmounts, taxes, withholdingRate, substitutes: substitutes(input) };
}

function resolvePartner(
  type: DocumentTypeInfo,
  input: DocumentInput,
  { partner }: References,
  faults: Faults,
): References['partner'] {
  if (partner === null) faults.add('/partnerId', 'invalid_reference', 'refers to a partner that does not exist');
  else if (!partner.active && !isFollowUp(input)) {
    faults.add('/partnerId', 'invalid_reference', 'refers to an inactive partner');
  }
  // A partner group without a side serves both; a group for the other side only does not.
  else if (type.side === 'sales' && partner.isVendor && !partner.isCustomer) {
    faults.add('/partnerId', 'wrong_type', 'refers to a supplier; a sale needs a customer');
  } else if (type.side === 'purchase' && partner.isCustomer && !partner.isVendor) {
    faults.add('/partnerId', 'wrong_type', 'refers to a customer; a purchase needs a supplier');
  }
  return partner;
}

/**
 * Whether a document only delivers or invoices existing documents. That is allowed even if something they refer to has
 * become inactive.
 */
function isFollowUp(input: DocumentInput): boolean {
  return correctedId(input) !== undefined || input.lines.every((line) => line.baseId !== undefined);
}

function resolveSeries(
  type: DocumentTypeInfo,
  input: DocumentInput,
  { series, period, fiscalYear }: References,
  faults: Faults,
): References['series'] {
  if (series === null) {
    if (input.seriesId !== undefined)
      faults.add('/seriesId', 'invalid_reference', 'refers to a series that does not exist');
    // Without a period, the date is at fault.
    else if (period !== null)
      faults.add(
        '/seriesId',
        'required',
        `there is no default series for ${seriesKind(input)}${type.code} of ${fiscalYear}: name one`,
      );
  } else if (series.docType !== type.code) {
    faults.add('/seriesId', 'wrong_type', `must refer to a series of ${type.code} documents`);
  } else if (input.rectifies !== undefined && !series.rectifying) {
    faults.add('/seriesId', 'wrong_type', 'must refer to a series for rectifying invoices');
  }
  return series;
}

function seriesKind({ rectifies }: DocumentInput): string {
  return rectifies === undefined ? '' : 'rectifying ';
}

/** The member of a document that decides about its period. */
export function periodPointer({ periodId }: Pick<DocumentInput, 'periodId'>): string {
  return periodId === undefined ? '/date' : '/periodId';
}

function resolvePeriod(input: DocumentInput, { period, date }: References, faults: Faults): References['period'] {
  if (period === null) {
    if (input.periodId !== undefined)
      faults.add('/periodId', 'invalid_reference', 'refers to a period that does not exist');
    else faults.add('/date', 'no_period', noPeriodMessage(date));
  } else if (date < period.from || date > period.to) {
    faults.add('/date', 'outside_period', `must be within the period ${period.code} (${period.from} to ${period.to})`);
  }
  return period;
}

function resolveWarehouse(input: DocumentInput, { warehouses, bases }: References, faults: Faults): string | null {
  if (input.warehouseId === undefined)
    return [...warehouses.values()].find(({ isDefault, active }) => isDefault && active)?.id ?? null;
  const warehouse = warehouses.get(input.warehouseId);
  const ofBase = isFollowUp(input) && [...bases.values()].some((base) => base.warehouseId === input.warehouseId);
  if (!warehouse) faults.add('/warehouseId', 'invalid_reference', 'refers to a warehouse that does not exist');
  else if (!warehouse.active && !ofBase)
    faults.add('/warehouseId', 'invalid_reference', 'refers to an inactive warehouse');
  return input.warehouseId;
}

function checkRange(amounts: readonly Decimal[], total: Decimal, faults: Faults): void {
  amounts.forEach((amount, index) => {
    if (decimal(amount).abs().gte(AMOUNT_LIMIT))
      faults.add(
        `/lines/${index}/quantity`,
        'out_of_range',
        'must keep the amount of the line below 1,000,000,000,000',
      );
  });
  if (decimal(total).abs().gte(AMOUNT_LIMIT))
    faults.add('/lines', 'out_of_range', 'must add up to less than 1,000,000,000,000');
  faults.throwIfAny();
}
