/** Checks recurring documents: their interval, their end, and what fits their type. */
import type { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { countDue } from '../../../domain/contracts/recurring/catch-up.ts';
import type { Period, PeriodPlan } from '../../../domain/contracts/recurring/periods.ts';
import { documentTypeNamed, possibleModes } from '../../../domain/contracts/recurring/types.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { Decimal } from '../../../domain/money.ts';
import { parseCron } from '../../../domain/platform/schedules/cron.ts';
import type { RecurringInput } from './schemas.ts';

/** Documents that may be due at once, because they lie in the past. */
const MAX_DUE = 500;

/** Months after which prices rise unless said otherwise. */
export const INDEX_MONTHS = 12;

/** Members that are decided by what was sent. */
export type Form = Pick<
  RecurringDocument,
  | ('name' | 'documentType' | 'unit' | 'every' | 'onDay' | 'cron' | 'startsOn' | 'endsOn' | 'count' | 'billedAt')
  | ('prorate' | 'mode' | 'price' | 'indexPercent' | 'indexMonths' | 'missed')
>;

/** Fills in the defaults. @param today in the company's time zone @throws ServiceError validation_failed */
export function completed(input: RecurringInput, today: string): Form {
  const { interval } = input;
  checkInterval(interval);
  const startsOn = input.starts_on ?? today;
  const unit = interval.unit ?? null;
  const [standard = 'post'] = possibleModes(input.document_type);
  return {
    name: input.name,
    documentType: input.document_type,
    unit,
    every: unit === null ? null : (interval.count ?? 1),
    onDay: unit === 'month' || unit === 'year' ? (interval.day ?? Number(startsOn.slice(8))) : null,
    cron: interval.cron?.trim() ?? null,
    startsOn,
    endsOn: input.ends_on ?? null,
    count: input.count ?? null,
    billedAt: input.billed_at ?? 'start',
    prorate: input.prorate ?? false,
    mode: input.mode ?? standard,
    price: input.price ?? 'fixed',
    indexPercent: input.index_percent == null ? null : (String(input.index_percent) as Decimal),
    indexMonths: input.index_months ?? (input.index_percent == null ? null : INDEX_MONTHS),
    missed: input.missed ?? 'all',
  };
}

/** @throws ServiceError validation_failed for members that exclude each other */
function checkInterval({ unit, cron, count, day }: RecurringInput['interval']): void {
  const faults = new Faults();
  if ((unit ?? null) === null && (cron ?? null) === null) {
    faults.add('/interval/unit', 'required', 'is required unless cron is given');
  }
  if (cron != null) {
    for (const [name, value] of Object.entries({ unit, count, day })) {
      if (value != null) faults.add(`/interval/${name}`, 'not_allowed', 'cannot be given together with cron');
    }
  }
  if (day != null && (unit === 'day' || unit === 'week')) {
    faults.add('/interval/day', 'not_applicable', 'is allowed only for months and years');
  }
  faults.throwIfAny();
}

/** @throws ServiceError validation_failed */
export function checkForm(form: Form): void {
  const faults = new Faults();
  if (form.cron !== null) checkCron(form.cron, faults);
  if (form.endsOn !== null && form.endsOn < form.startsOn) {
    faults.add('/ends_on', 'out_of_range', `must not be before ${form.startsOn}, when it starts`);
  }
  const modes = possibleModes(form.documentType);
  if (!modes.includes(form.mode)) {
    faults.add('/mode', 'not_applicable', `must be ${modes.join(' or ')} for this type`);
  }
  checkPrices(form, faults);
  if (form.prorate && form.cron !== null) {
    faults.add('/prorate', 'not_applicable', 'is allowed only for intervals by unit, whose periods have a length');
  }
  faults.throwIfAny();
}

function checkCron(text: string, faults: Faults): void {
  const cron = parseCron(text);
  const at = '/interval/cron';
  if ('fault' in cron) {
    faults.add(at, cron.fault === 'never' ? 'never_fires' : 'invalid_format', cron.message);
  } else if (cron.hours.join() !== '0' || cron.minutes.join() !== '0') {
    const message = 'must begin with 0 0, because documents are made at midnight';
    faults.add(at, 'not_allowed', message);
  }
}

function checkPrices(form: Form, faults: Faults): void {
  const isEntry = documentTypeNamed(form.documentType) === null;
  if (form.price === 'current') {
    if (isEntry) faults.add('/price', 'not_applicable', 'is not allowed for entries, which have amounts');
    if (form.indexPercent !== null) {
      faults.add('/index_percent', 'not_applicable', 'is allowed only for fixed prices');
    }
    if (form.prorate) faults.add('/prorate', 'not_applicable', 'is allowed only for fixed prices');
  }
  if (isEntry && form.indexPercent !== null) {
    faults.add('/index_percent', 'not_applicable', 'is not allowed for entries, which have amounts');
  }
  if (isEntry && form.prorate) {
    faults.add('/prorate', 'not_applicable', 'is not allowed for entries, which have amounts');
  }
  if (form.indexMonths !== null && form.indexPercent === null) {
    faults.add('/index_months', 'not_applicable', 'is allowed only with index_percent');
  }
}

/** @throws ServiceError validation_failed if too many documents would be made at once */
export function assertFewDue(plan: PeriodPlan, first: Period | null, today: string, pointer = '/starts_on'): void {
  if (countDue(plan, first, today, MAX_DUE + 1) <= MAX_DUE) return;
  throw invalidMember(
    pointer,
    'too_many',
    `cannot be accepted because more than ${MAX_DUE} documents would be made at once`,
  );
}
