/** Completes what the client sent to a document: fills defaults, checks references, and points at every fault. */
import { newId } from '../../../db/ids.ts';
import { PERIOD_STATUS } from '../../../domain/accounting/periods.ts';
import { type Step, stepOf } from '../../../domain/documents/progress.ts';
import { documentTotals } from '../../../domain/documents/totals.ts';
import {
  DOCUMENT_STATUS,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentTypeInfo,
} from '../../../domain/documents/types.ts';
import { periodClosed } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { noPeriodMessage } from '../../periods/open-year.ts';
import type { PreparedDocument } from '../prepared.ts';
import type { DocumentInput } from '../schemas.ts';
import { BaseLines } from './base-lines.ts';
import { checkBases, firstBase } from './bases.ts';
import { checkCorrected, correctedId, withCorrectedLines } from './corrected.ts';
import { invoiceDates, issuedOn, taxedOn } from './invoice-dates.ts';
import { type ResolvedLine, resolveLine } from './line.ts';
import { checkAssignments } from './line-details.ts';
import { deductionRegimeOf, lostTaxesOf, proRataOf } from './lost-tax.ts';
import type { References } from './references.ts';
import { duePlan, promptDiscount, resolveTerms } from './terms.ts';

/** Amounts must be exact as JSON numbers. */
const AMOUNT_LIMIT = '1e12';

/**
 * Resolves a new document against its references.
 * @throws ServiceError validation_failed with a pointer for each fault; period_closed; invalid_transition when a base is in
 * a state that nothing can follow
 */
export function resolveDocument(docType: DocType, given: DocumentInput, references: References): PreparedDocument {
  const type = DOCUMENT_TYPES[docType];
  const input = withCorrectedLines(given, references);
  const faults = new Faults();
  const partner = resolvePartner(type, input, references, faults);
  const series = resolveSeries(type, input, references, faults);
  const period = resolvePeriod(input, references, faults);
  const warehouseId = resolveWarehouse(input, references, faults);
  const rectifying = series?.rectifying ?? false;
  const step: Step = stepOf(type.kind, { returns: input.returns !== undefined, rectifies: rectifying });
  checkCorrected(type, input, rectifying, references, faults);
  checkBases(type, step, input, references, faults);
  checkAssignments(input, '', references, faults);
  const base = firstBase(input, references);
  const takesBack = rectifying || input.returns !== undefined;
  const dates = invoiceDates(type, input, references.date, faults);
  const issued = issuedOn(dates, references.date);
  const ofBase = base?.paymentTerms ?? null;
  const terms = resolveTerms(input, { ofBase, takesBack, date: issued }, references, faults);
  faults.throwIfAny();
  if (!partner || !series || !period) throw new Error('a document without faults has partner, series and period');
  if (period.status === PERIOD_STATUS.closed) throw periodClosed(period.code);

  const vatRegime = input.vatRegime ?? base?.vatRegime ?? partner.vatRegime;
  const bases = new BaseLines(step, references);
  const { returnStock = false } = input;
  const taxDay = taxedOn(dates, references.date);
  const deductionRegime = deductionRegimeOf(type, references.bases.get(correctedId(input) ?? ''), references);
  const shared = {
    type,
    step,
    references,
    warehouseId,
    vatRegime,
    deductionRegime,
    taxDay,
    bases,
    returnStock,
    faults,
  };
  const lines = input.lines.map((line, index) => resolveLine({ ...shared, line, pointer: `/lines/${index}` }));
  faults.throwIfAny();
  const resolved = lines as readonly ResolvedLine[];
  const withholdingRate = decimal(input.withholdingRate ?? base?.withholdingRate ?? partner.withholdingRate).toFixed();
  const places = references.decimalPrecision;
  const proRata = proRataOf(type, references.bases.get(input.rectifies ?? ''), references);
  const totals = documentTotals(resolved, withholdingRate, places);
  checkRange(totals.amounts, totals.total, faults);
  const lost = lostTaxesOf(type, { lines: resolved, vatRegime, proRata, deductionRegime, totals }, references);
  return {
    id: newId(),
    docType,
    status: type.kind === 'invoice' ? DOCUMENT_STATUS.draft : DOCUMENT_STATUS.open,
    seriesId: series.id,
    seriesPrefix: series.prefix,
    periodId: period.id,
    partnerId: partner.id,
    partner,
    date: references.date,
    ...dates,
    ...duePlan(type, input, terms, { places, partner, total: totals.total, date: issued }),
    ...promptDiscount(type, { partner, total: totals.total, date: issued, takesBack }),
    warehouseId,
    reference: input.reference ?? null,
    supplierReference: input.supplierReference ?? null,
    notes: input.notes ?? null,
    internalNotes: input.internalNotes ?? null,
    tags: input.tags ?? [],
    billingAddress: input.billingAddress ?? partner.addresses?.B ?? null,
    shippingAddress: input.shippingAddress ?? partner.addresses?.S ?? null,
    vatRegime,
    withholdingRate,
    proRata,
    deductionRegime,
    projectId: input.projectId ?? null,
    costCenterId: input.costCenterId ?? null,
    rectifies: input.rectifies ?? null,
    returns: input.returns ?? null,
    reason: input.reason ?? null,
    returnStock: input.returnStock ?? false,
    rectifying,
    currency: references.currency,
    totals,
    lines: resolved.map((line, index) => ({
      ...line,
      id: newId(),
      lineNumber: index + 1,
      amount: totals.amounts[index] ?? '0',
      lostTax: lost[index] ?? '0',
    })),
  };
}

function resolvePartner(
  type: DocumentTypeInfo,
  input: DocumentInput,
  { partner }: References,
  faults: Faults,
): References['partner'] {
  if (partner === null) faults.add('/partnerId', 'invalid_reference', 'refers to a partner that does not exist');
  else if (!partner.active && !continues(input)) {
    faults.add('/partnerId', 'invalid_reference', 'refers to an inactive partner');
  }
  // A group that says nothing serves both sides; one that is only of the other side does not.
  else if (type.side === 'sales' && partner.isVendor && !partner.isCustomer) {
    faults.add('/partnerId', 'wrong_type', 'refers to a supplier; a sale needs a customer');
  } else if (type.side === 'purchase' && partner.isCustomer && !partner.isVendor) {
    faults.add('/partnerId', 'wrong_type', 'refers to a customer; a purchase needs a supplier');
  }
  return partner;
}

/** Whether a document only delivers or invoices what others began: that is allowed even if something of theirs has become inactive. */
function continues(input: DocumentInput): boolean {
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
    // Without a period it is the date that is wrong.
    else if (period !== null)
      faults.add(
        '/seriesId',
        'required',
        `there is no default series for ${kindOf(input)}${type.code} of ${fiscalYear}: name one`,
      );
  } else if (series.docType !== type.code) {
    faults.add('/seriesId', 'wrong_type', `refers to a series of other documents than ${type.code}`);
  } else if (input.rectifies !== undefined && !series.rectifying) {
    faults.add('/seriesId', 'wrong_type', 'refers to a series that is not of rectifying invoices');
  }
  return series;
}

function kindOf({ rectifies }: DocumentInput): string {
  return rectifies === undefined ? '' : 'rectifying ';
}

function resolvePeriod(input: DocumentInput, { period, date }: References, faults: Faults): References['period'] {
  if (period === null) {
    if (input.periodId !== undefined)
      faults.add('/periodId', 'invalid_reference', 'refers to a period that does not exist');
    else faults.add('/date', 'no_period', noPeriodMessage(date));
  } else if (date < period.from || date > period.to) {
    faults.add('/date', 'outside_period', `is not within the period ${period.code} (${period.from} to ${period.to})`);
  }
  return period;
}

function resolveWarehouse(input: DocumentInput, { warehouses, bases }: References, faults: Faults): string | null {
  if (input.warehouseId === undefined)
    return [...warehouses.values()].find(({ isDefault, active }) => isDefault && active)?.id ?? null;
  const warehouse = warehouses.get(input.warehouseId);
  const ofBase = continues(input) && [...bases.values()].some((base) => base.warehouseId === input.warehouseId);
  if (!warehouse) faults.add('/warehouseId', 'invalid_reference', 'refers to a warehouse that does not exist');
  else if (!warehouse.active && !ofBase)
    faults.add('/warehouseId', 'invalid_reference', 'refers to an inactive warehouse');
  return input.warehouseId;
}

function checkRange(amounts: readonly Decimal[], total: Decimal, faults: Faults): void {
  amounts.forEach((amount, index) => {
    if (decimal(amount).abs().gte(AMOUNT_LIMIT))
      faults.add(`/lines/${index}/quantity`, 'out_of_range', 'makes an amount of a million millions or more');
  });
  if (decimal(total).abs().gte(AMOUNT_LIMIT))
    faults.add('/lines', 'out_of_range', 'add up to a million millions or more');
  faults.throwIfAny();
}
