/** Parts shared by the reports of tax models: their periods, and their data in addition to the boxes (decision 0173). */
import { type Static, type TObject, Type } from 'typebox';
import { refusedParameter, ServiceError } from '../../../domain/errors.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import {
  contains,
  MONTHLY,
  normalPeriod,
  periodBefore,
  periodSpan,
  QUARTERLY,
  type TaxPeriod,
} from '../../../domain/ledger/tax-returns/periods.ts';
import { RECTIFICATION_REASONS, type Rectification } from '../../../domain/ledger/tax-returns/rectifying.ts';
import type { TaxTotal } from '../../../domain/ledger/tax-returns/totals.ts';
import { type Decimal, decimal, round } from '../../../domain/money.ts';
import { type TaxSet, taxName } from '../../../domain/trade/documents/tax-sets.ts';
import type { FiledReturn } from '../../ledger/tax-returns/filed.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { amount, choice, flag, instant, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';

export const BOXES = Type.Record(Type.String(), amount(), { description: 'Amounts by the numbers of the boxes: 07' });

const RECTIFIED = nullable(
  Type.Object(
    {
      receipt_number: text({ description: "The agency's number of the rectified return" }),
      reason: nullable(choice(RECTIFICATION_REASONS)),
    },
    { description: 'What it says about the return that it rectifies; null: it is the first one' },
  ),
);

export const FILED = nullable(
  Type.Object(
    {
      id: uuid(),
      filed_at: instant(),
      sequence: integer({ description: '0 for the first return of the period; later ones rectify it' }),
      rectification: RECTIFIED,
      drilldown: text({ max: 500 }),
      returns: text({ max: 500, description: 'All returns of the period' }),
    },
    { description: 'The return in force, whose boxes are shown; null: as the books have them now' },
  ),
);

const UNMAPPED = Type.Array(
  Type.Object({
    kind: text(),
    regime: text(),
    rate: amount(),
    rectifying: flag(),
    base: amount(),
    amount: amount(),
  }),
  { description: 'Taxes at rates for which the form has no box; in none of the sums' },
);

/** Members of the data of each model. */
export const FILED_DATA = {
  boxes: BOXES,
  filed: FILED,
  changed: Type.Record(Type.String(), amount(), {
    description: 'Boxes that the books have otherwise since it was filed, as they are now',
  }),
};

/** Members of the data of models of VAT and IGIC, and of 130. */
export const MODEL_DATA = {
  ...FILED_DATA,
  unmapped: UNMAPPED,
  drilldown: text({ max: 500, description: 'The report behind the boxes' }),
};

type Money = (value: Decimal) => number;

export interface Returned {
  readonly boxes: BoxValues;
  readonly unmapped?: readonly TaxTotal[];
}

interface Found {
  readonly computed: Returned;
  readonly filed: FiledReturn | undefined;
}

/** Returns the boxes as filed, otherwise as computed, and later changes. */
export function filedData(
  { computed, filed }: Found,
  { money, shows = () => true }: { money: Money; shows?: (box: string) => boolean },
) {
  const numbers = (boxes: BoxValues, chosen: (box: string) => boolean) =>
    Object.fromEntries(
      Object.entries(boxes)
        .filter(([box]) => shows(box) && chosen(box))
        .map(([box, value]) => [box, money(value)]),
    );
  const inCents = (boxes: BoxValues | undefined, box: string) => decimal(round(boxes?.[box] ?? '0', 2));
  const differs = (box: string) => !inCents(computed.boxes, box).eq(inCents(filed?.boxes, box));
  return {
    boxes: numbers(filed?.boxes ?? computed.boxes, () => true),
    filed: filed === undefined ? null : filedToJson(filed),
    changed: filed === undefined ? {} : numbers(computed.boxes, differs),
  };
}

/** Returns what `filedData` does, with taxes that no box contains. */
export function modelData(
  found: Found,
  { drilldown, ...options }: { money: Money; drilldown: string; shows?: (box: string) => boolean },
) {
  const { money } = options;
  return {
    ...filedData(found, options),
    unmapped: (found.computed.unmapped ?? []).map(({ kind, operation, rate, rectifying, base, amount: tax }) => ({
      kind,
      regime: operation,
      rate: Number(rate),
      rectifying,
      base: money(base),
      amount: money(tax),
    })),
    drilldown,
  };
}

function filedToJson({ id, model, year, period, createdAt, sequence, receiptNumber, reason }: FiledReturn) {
  return {
    id,
    filed_at: new Date(createdAt).toISOString(),
    sequence,
    rectification: receiptNumber === null ? null : { receipt_number: receiptNumber, reason },
    drilldown: `/api/tax-returns/${id}`,
    returns: `/api/tax-returns?model=${model}&year=${year}&period=${period}`,
  };
}

/** Reads from a filed return which one it rectifies, for its file; null if it rectifies none. */
export function rectificationIn(filed: Static<typeof FILED>): Rectification | null {
  const stated = filed?.rectification ?? null;
  return stated && { receiptNumber: stated.receipt_number, reason: stated.reason };
}

/** The path of the VAT report for a period. */
export function vatReportPath(period: TaxPeriod): string {
  const { from, to } = periodSpan(period);
  return `/api/reports/vat?from=${from}&to=${to}`;
}

/** Parameters of quarterly and monthly returns. */
export const QUARTER_OR_MONTH = {
  year: Type.Optional(YEAR),
  period: Type.Optional(
    choice([...QUARTERLY, 'T1', 'T2', 'T3', 'T4', ...MONTHLY], {
      description: 'A quarter (1T to 4T) or a month (01 to 12); by default the last quarter that is over',
    }),
  ),
};

/** Reads the requested period. */
export function requestedPeriod({ params, range }: Pick<ReportRequest, 'params' | 'range'>): TaxPeriod {
  const { year, period } = params as { year?: number; period?: string };
  if (year === undefined || period === undefined) return lastOver(range.to, 'quarter');
  return { year, period: normalPeriod(period) };
}

/** Reads the requested year, by default the last one that is over. */
export function requestedYear({ year }: { readonly year?: number }, { to }: ReportRequest['range']): number {
  return year ?? Number(to.slice(0, 4)) - 1;
}

/** The last quarter or month that had ended by a day, which is the next one to file. */
export function lastOver(today: string, length: 'quarter' | 'month'): TaxPeriod {
  const year = Number(today.slice(0, 4));
  const periods = length === 'quarter' ? QUARTERLY : MONTHLY;
  const current = periods.find((period) => contains({ year, period }, today)) as string;
  return periodBefore({ year, period: current });
}

/** @throws ServiceError invalid_transition for a company that is not in Spain, which has no Spanish taxes to declare */
export function assertSpanish({ settings }: Pick<ReportRequest, 'settings'>): void {
  const { country } = settings.company;
  if (country === SPAIN) return;
  throw new ServiceError(
    'invalid_transition',
    `Spanish tax models are for companies in Spain; the company is in ${country}`,
  );
}

/** @throws ServiceError invalid_transition for a company that does not charge the tax of a model, or is not in Spain */
export function assertCharges(request: Pick<ReportRequest, 'settings'>, tax: TaxSet): void {
  assertSpanish(request);
  const { taxSet } = request.settings.company;
  if (taxSet === tax) return;
  const [own, charged] = [taxName(tax, 'en'), taxName(taxSet, 'en')];
  throw new ServiceError('invalid_transition', `This model is of ${own}, and the company charges ${charged}`);
}

/** @throws ServiceError invalid_transition for a company that does not charge VAT, or is not in Spain */
export function assertVat(request: Pick<ReportRequest, 'settings'>): void {
  assertCharges(request, 'vat');
}

/** @throws ServiceError invalid_parameter if only one of the two is given */
export function assertBoth(params: Readonly<Record<string, unknown>>, first: string, second: string): void {
  if ((params[first] === undefined) === (params[second] === undefined)) return;
  const [missing, given] = params[first] === undefined ? [first, second] : [second, first];
  throw refusedParameter(missing, `must be given together with ${given}, or neither of them`);
}

/** Checks a request for a quarterly or monthly model. @throws ServiceError invalid_transition, invalid_parameter */
export function checkPeriodic(request: Pick<ReportRequest, 'settings' | 'params'>): void {
  assertSpanish(request);
  assertBoth(request.params, 'year', 'period');
}

/** Checks a request for a quarterly or monthly model of VAT. @throws ServiceError invalid_transition, invalid_parameter */
export function checkPeriodicVat(request: Pick<ReportRequest, 'settings' | 'params'>): void {
  assertVat(request);
  checkPeriodic(request);
}

/** The schema of rows that the books have otherwise since they were filed. */
export function changedRows<Row extends TObject>(row: Row) {
  return Type.Array(
    Type.Object({
      filed: nullable(Type.Object(row.properties, { description: 'As it was filed; null: it was not' })),
      now: nullable(
        Type.Object(row.properties, { description: 'As the books have it now; null: they no longer have it' }),
      ),
    }),
    { description: 'Rows that the books have otherwise since the return was filed' },
  );
}

/**
 * Compares rows as they were filed with those of now.
 * @param filed undefined if nothing is filed, so that nothing has changed
 * @param toNow makes those of now, which only what is filed needs
 * @param identify texts that are the same for what is the same row
 */
export function listChanges<Row extends object>(
  filed: readonly Row[] | undefined,
  toNow: () => readonly Row[],
  identify: (row: Row) => readonly unknown[],
): { readonly filed: Row | null; readonly now: Row | null }[] {
  if (filed === undefined) return [];
  const key = (row: Row) => JSON.stringify(identify(row));
  const before = new Map(filed.map((row) => [key(row), row]));
  const after = new Map(toNow().map((row) => [key(row), row]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((each) => ({ filed: before.get(each) ?? null, now: after.get(each) ?? null }))
    .filter((pair) => JSON.stringify(pair.filed) !== JSON.stringify(pair.now));
}

/** The path of a partner's invoices of some days. */
export function invoicesPath(side: 'sales' | 'purchases', partnerId: string, { from, to }: Days): string {
  return `/api/${side}/invoices?partnerId=${partnerId}&date[gte]=${from}&date[lte]=${to}`;
}
