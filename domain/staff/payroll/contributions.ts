/**
 * Computes the social security contributions of a month: bases, and the shares of employer and employee (LGSS, art.
 * 147).
 */
import { type Decimal, type DecimalInput, decimal, type Exact, round, sum } from '../../money.ts';
import type { PayrollRates, Shares } from './rates.ts';

/** Terms that determine contributions in addition to the pay. */
export interface Employment {
  readonly contract: 'indefinite' | 'temporary';
  /** 1 to 11. Groups 1 to 7 contribute by months of 30 days, the others by days. */
  readonly group: number;
  /** The employer's percentage for accidents, by activity. */
  readonly accidentRate: Decimal;
  /** Part of a full working week, from 0 to 1. */
  readonly workingShare: Decimal;
}

/** The pay of a month on which contributions are paid. */
export interface ContributoryPay {
  /** Paid days: at most 30 in groups 1 to 7, calendar days in the others. */
  readonly days: DecimalInput;
  /** Pay in money and in kind, without overtime and extra pays. */
  readonly ordinary: Decimal;
  readonly overtime: Decimal;
  readonly forceMajeure: Decimal;
  /** Extra pays of a year, whenever they are paid. */
  readonly yearlyExtras: Decimal;
}

export interface Bases {
  readonly common: Decimal;
  readonly professional: Decimal;
}

const CONTRIBUTIONS = [
  'common',
  'mei',
  'unemployment',
  'training',
  'accidents',
  'fogasa',
  'overtime',
  'solidarity',
] as const;

/** Amounts by contribution, and their sum. */
export type Contributions = Readonly<Record<(typeof CONTRIBUTIONS)[number] | 'total', Decimal>>;

const LAST_MONTHLY_GROUP = 7;

/** Whether a group contributes by calendar days, not by months of 30 days. */
export function isDaily(group: number): boolean {
  return group > LAST_MONTHLY_GROUP;
}

/** The part of a 30-day month; all limits of partial months are proportional to it. */
function monthPart(days: DecimalInput): Exact {
  return decimal(days).div(30);
}

/** The share of a year's extra pays that counts for a number of days. */
export function extrasShare(days: DecimalInput, yearlyExtras: Decimal, group: number): Exact {
  return isDaily(group)
    ? decimal(yearlyExtras).times(days).div(365)
    : decimal(yearlyExtras).times(monthPart(days)).div(12);
}

/** The month's ordinary pay plus its share of the extra pays. */
function withExtras({ days, ordinary, yearlyExtras }: ContributoryPay, group: number): Exact {
  return decimal(ordinary).plus(round(extrasShare(days, yearlyExtras, group), 2));
}

/** Computes the bases, limited to the group's minimum and maximum. */
export function computeBases(pay: ContributoryPay, employment: Employment, rates: PayrollRates): Bases {
  const { group, workingShare } = employment;
  const ordinary = withExtras(pay, group);
  const most = maximum(pay.days, group, rates);
  const least = isDaily(group)
    ? decimal(rates.dailyMinimum).times(pay.days)
    : monthly(rates.monthlyMinimum[group - 1], pay.days);
  const floor = isDaily(group) ? least : monthly(rates.professionalMinimum, pay.days);
  const withOvertime = ordinary.plus(pay.overtime).plus(pay.forceMajeure);
  return {
    common: between(ordinary, least.times(workingShare), most),
    professional: between(withOvertime, floor.times(workingShare), most),
  };
}

function monthly(amount: Decimal | undefined, days: DecimalInput): Exact {
  if (amount === undefined) throw new RangeError('A contribution group must be from 1 to 11.');
  return decimal(amount).times(monthPart(days));
}

function maximum(days: DecimalInput, group: number, rates: PayrollRates): Exact {
  return isDaily(group) ? decimal(rates.dailyMaximum).times(days) : monthly(rates.monthlyMaximum, days);
}

function between(value: Exact, least: Exact, most: Exact): Decimal {
  const raised = value.lt(least) ? least : value;
  return round(raised.gt(most) ? most : raised, 2);
}

/**
 * Computes the contributions of a side: each is rounded separately, and the total is the sum of rounded amounts.
 * @param side employer or employee
 */
export function computeContributions(
  side: keyof Shares,
  pay: ContributoryPay,
  employment: Employment,
  rates: PayrollRates,
): Contributions {
  const { common, professional } = computeBases(pay, employment, rates);
  const amounts = {
    common: percent(common, rates.common[side]),
    mei: percent(common, rates.mei[side]),
    unemployment: percent(professional, rates.unemployment[employment.contract][side]),
    training: percent(professional, rates.training[side]),
    accidents: side === 'employer' ? percent(professional, employment.accidentRate) : '0',
    fogasa: percent(professional, rates.fogasa[side]),
    overtime: sum([
      percent(pay.overtime, rates.overtime[side]),
      percent(pay.forceMajeure, rates.forceMajeure[side]),
    ]).toFixed(),
    solidarity: solidarity(side, pay, employment.group, rates),
  } as const;
  return { ...amounts, total: sum(CONTRIBUTIONS.map((name) => amounts[name])).toFixed() };
}

/** A percentage of an amount, in cents. */
export function percent(amount: Decimal, rate: Decimal): Decimal {
  return round(decimal(amount).times(rate).div(100), 2);
}

/** Computes the contribution on pay above the maximum base, step by step (LGSS, art. 19 bis). */
function solidarity(side: keyof Shares, pay: ContributoryPay, group: number, rates: PayrollRates): Decimal {
  const ordinary = withExtras(pay, group);
  let start = maximum(pay.days, group, rates);
  let total = decimal(0);
  for (const step of rates.solidarity) {
    const limit = step.upTo === null ? ordinary : decimal(step.upTo).times(monthPart(pay.days));
    const end = ordinary.lt(limit) ? ordinary : limit;
    if (end.lte(start)) break;
    total = total.plus(end.minus(start).times(step[side]).div(100));
    start = end;
  }
  return round(total.toFixed(), 2);
}
