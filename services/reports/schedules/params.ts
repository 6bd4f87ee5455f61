/** Resolves the relative parameters of scheduled reports. */
import { type TSchema, Type } from 'typebox';
import type { FieldError } from '../../../domain/errors.ts';
import { relativePeriod, resolveSpan } from '../../../domain/reports/engine/periods.ts';
import { valueValidator } from '../../platform/validation/validate.ts';
import type { Report, Values } from '../engine/declaration.ts';

/** The current date and the company's fiscal year. */
export interface Calendar {
  readonly today: string;
  /** MM-DD */
  readonly fiscalYearStart: string;
}

/** Taxes follow the calendar year, whatever the fiscal year. */
const CALENDAR_YEAR = '01-01';

/**
 * Replaces relative periods in the parameters by days: `from` by the first day, others by the last. In tax models, `year`, `quarter` and
 * `period` may be relative too.
 */
export function resolved(report: Report, params: Values, calendar: Calendar): Values {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? onDay(name, report.parameters[name], value, calendar) : value,
  ]);
  return Object.fromEntries(entries);
}

function onDay(name: string, schema: TSchema | undefined, text: string, calendar: Calendar): unknown {
  const period = relativePeriod(text);
  if (period === undefined || schema === undefined) return text;
  if ((schema as { format?: string }).format === 'date') {
    const span = resolveSpan(period, calendar.today, calendar.fiscalYearStart);
    return name === 'from' ? span.from : span.to;
  }
  const { to } = resolveSpan(period, calendar.today, CALENDAR_YEAR);
  const quarter = Math.ceil(Number(to.slice(5, 7)) / 3);
  if (name === 'year') return Number(to.slice(0, 4));
  if (name === 'month' && period.unit === 'month') return Number(to.slice(5, 7));
  if (name === 'quarter' && period.unit === 'quarter') return quarter;
  if (name === 'period' && period.unit === 'quarter') return `${quarter}T`;
  if (name === 'period' && period.unit === 'month') return to.slice(5, 7);
  return text;
}

const DAY = 'must be an existing date, as YYYY-MM-DD, or relative, such as today, month or quarter-1';
const validators = new Map<Report, (value: unknown) => FieldError[]>();

/** Lists the faults of resolved parameters, with pointers to the members. */
export function paramFaults(report: Report, params: Values): FieldError[] {
  let validate = validators.get(report);
  if (validate === undefined) {
    validate = valueValidator(Type.Object(report.parameters, { additionalProperties: false }));
    validators.set(report, validate);
  }
  return validate(params).map((fault) => (isDayFault(report, fault) ? { ...fault, message: DAY } : fault));
}

function isDayFault(report: Report, { pointer, code }: FieldError): boolean {
  const schema = report.parameters[pointer.slice(1)] as { format?: string } | undefined;
  return code === 'invalid_format' && schema?.format === 'date';
}
