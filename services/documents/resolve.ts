/** Turns what the client sent into a complete document: defaults filled, references checked, every fault pointed at. */
import { newId } from '../../db/ids.ts';
import { documentTotals } from '../../domain/documents/totals.ts';
import { isAllowed } from '../../domain/documents/transitions.ts';
import { DOCUMENT_TYPES, type DocType, type DocumentTypeInfo } from '../../domain/documents/types.ts';
import { type FieldError, ServiceError, validationFailed } from '../../domain/errors.ts';
import { decimal } from '../../domain/money.ts';
import type { DocumentInput, DocumentLineInput } from './input.ts';
import type { PreparedDocument, PreparedLine } from './prepared.ts';
import type { BaseDocument, References } from './references.ts';
import { BaseLines, resolveLine } from './resolve-line.ts';

/** Amounts keep to what a JSON number carries exactly. */
const AMOUNT_LIMIT = '1e12';

/** Collects faults, so that a client sees all of them at once. */
export class Faults {
  readonly list: FieldError[] = [];

  add(pointer: string, code: string, message: string): void {
    this.list.push({ pointer, code, message });
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw validationFailed(this.list);
  }
}

/**
 * Resolves a new document against its references.
 * @throws ServiceError validation_failed with a pointer for each fault; period_closed; invalid_transition when a base is in
 *   a state that nothing can follow
 */
export function resolveDocument(docType: DocType, input: DocumentInput, references: References): PreparedDocument {
  const type = DOCUMENT_TYPES[docType];
  const faults = new Faults();
  const partner = resolvePartner(type, input, references, faults);
  const series = resolveSeries(type, input, references, faults);
  const period = resolvePeriod(input, references, faults);
  const warehouseId = resolveWarehouse(input, references, faults);
  checkBases(type, input, references, faults);
  if (input.dueDate !== undefined && input.dueDate < references.date) {
    faults.add('/dueDate', 'out_of_range', 'is before the date of the document');
  }
  faults.throwIfAny();
  if (!partner || !series || !period) throw new Error('a document without faults has partner, series and period');
  if (period.status === 'C') throw periodClosed(period.code);

  const vatRegime = input.vatRegime ?? firstBase(input, references)?.vatRegime ?? partner.vatRegime;
  const bases = new BaseLines(type.kind, references);
  const lines = input.lines.map((line, index) =>
    resolveLine({ type, line, pointer: `/lines/${index}`, references, warehouseId, vatRegime, bases, faults }),
  );
  faults.throwIfAny();
  const resolved = lines as readonly Omit<PreparedLine, 'id' | 'lineNumber' | 'amount'>[];
  const withholdingRate = decimal(input.withholdingRate ?? partner.withholdingRate).toFixed();
  const totals = documentTotals(resolved, withholdingRate, references.decimalPrecision);
  checkRange(totals.amounts, totals.total, faults);
  return {
    id: newId(),
    docType,
    status: type.kind === 'invoice' ? 'D' : 'O',
    seriesId: series.id,
    seriesPrefix: series.prefix,
    periodId: period.id,
    partner,
    date: references.date,
    dueDate: input.dueDate ?? dueDate(references.date, partner.paymentTermDays),
    warehouseId,
    reference: input.reference ?? null,
    supplierReference: input.supplierReference ?? null,
    notes: input.notes ?? null,
    billingAddress: input.billingAddress ?? partner.addresses?.B ?? null,
    shippingAddress: input.shippingAddress ?? partner.addresses?.S ?? null,
    vatRegime,
    withholdingRate,
    currency: references.currency,
    totals,
    lines: resolved.map((line, index) => ({
      ...line,
      id: newId(),
      lineNumber: index + 1,
      amount: totals.amounts[index] ?? '0',
    })),
  };
}

/** The 409 for anything dated into a closed period. */
export function periodClosed(code: string): ServiceError {
  return new ServiceError(
    'period_closed',
    `The accounting period ${code} is closed; choose a date in an open period or have it reopened`,
  );
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

/** Whether a document only delivers or invoices what others began: that goes on when something of theirs has become inactive. */
function continues(input: DocumentInput): boolean {
  return input.lines.every((line) => line.baseId !== undefined);
}

function resolveSeries(
  type: DocumentTypeInfo,
  input: DocumentInput,
  { series }: References,
  faults: Faults,
): References['series'] {
  if (series === null) {
    if (input.seriesId !== undefined)
      faults.add('/seriesId', 'invalid_reference', 'refers to a series that does not exist');
    else faults.add('/seriesId', 'required', `there is no default series for ${type.code}: name one`);
  } else if (series.docType !== type.code || series.rectifying) {
    faults.add('/seriesId', 'wrong_type', `refers to a series of other documents than ${type.code}`);
  }
  return series;
}

function resolvePeriod(input: DocumentInput, { period, date }: References, faults: Faults): References['period'] {
  if (period === null) {
    if (input.periodId !== undefined)
      faults.add('/periodId', 'invalid_reference', 'refers to a period that does not exist');
    else
      faults.add(
        '/date',
        'no_period',
        `no accounting period has the date ${date}; generate the periods of its year first`,
      );
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

/** Bases must exist, be of a fitting type and state, and belong to the same partner. */
function checkBases(type: DocumentTypeInfo, input: DocumentInput, references: References, faults: Faults): void {
  input.lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    if (line.baseId === undefined) {
      if (line.baseType !== undefined || line.baseLineId !== undefined) {
        faults.add(`${pointer}/baseId`, 'required', 'is needed with baseType and baseLineId');
      }
      return;
    }
    const base = references.bases.get(line.baseId);
    const fault = base === undefined ? MISSING_BASE : baseFault(type, input, line, base);
    if (fault) faults.add(`${pointer}/${fault.member}`, fault.code, fault.message);
    else if (base) checkOpen(type, base, pointer);
  });
}

const MISSING_BASE = {
  member: 'baseId',
  code: 'invalid_reference',
  message: 'refers to a document that does not exist',
};

function baseFault(type: DocumentTypeInfo, input: DocumentInput, line: DocumentLineInput, base: BaseDocument) {
  if (!type.bases.includes(base.docType)) {
    const allowed =
      type.bases.length > 0 ? `can be based on ${type.bases.join(' or ')}` : 'cannot be based on anything';
    const message = `refers to a ${base.docType}; a line of a ${type.code} ${allowed}`;
    return { member: 'baseId', code: 'wrong_type', message };
  }
  if (line.baseType !== undefined && line.baseType !== base.docType) {
    return { member: 'baseType', code: 'wrong_type', message: `the base is a ${base.docType}` };
  }
  if (base.partnerId !== input.partnerId) {
    return { member: 'baseId', code: 'wrong_partner', message: 'refers to a document of another partner' };
  }
  if (base.status === 'X') {
    return { member: 'baseId', code: 'cancelled', message: `refers to ${base.code}, which is cancelled` };
  }
  return undefined;
}

/** @throws ServiceError over_delivery, over_invoicing when the base is in a state that leaves nothing open */
function checkOpen(type: DocumentTypeInfo, base: BaseDocument, pointer: string): void {
  const step = type.kind === 'invoice' ? 'invoice' : 'deliver';
  if (isAllowed(DOCUMENT_TYPES[base.docType].kind, base.status, step)) return;
  const code = step === 'deliver' ? 'over_delivery' : 'over_invoicing';
  throw new ServiceError(code, `Nothing of ${base.code} is open any more`, {
    errors: [{ pointer: `${pointer}/baseId`, code, message: `${base.code} has no open quantity` }],
  });
}

function firstBase(input: DocumentInput, { bases }: References): { readonly vatRegime: string } | undefined {
  return input.lines
    .map((line) => (line.baseId === undefined ? undefined : bases.get(line.baseId)))
    .find((base) => base !== undefined);
}

function checkRange(amounts: readonly string[], total: string, faults: Faults): void {
  amounts.forEach((amount, index) => {
    if (decimal(amount).abs().gte(AMOUNT_LIMIT))
      faults.add(`/lines/${index}/quantity`, 'out_of_range', 'makes an amount of a million millions or more');
  });
  if (decimal(total).abs().gte(AMOUNT_LIMIT))
    faults.add('/lines', 'out_of_range', 'add up to a million millions or more');
  faults.throwIfAny();
}

function dueDate(date: string, days: number): string {
  const due = new Date(`${date}T00:00:00Z`);
  due.setUTCDate(due.getUTCDate() + days);
  return due.toISOString().slice(0, 10);
}
