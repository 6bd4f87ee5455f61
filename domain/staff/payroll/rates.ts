/**
 * Social security contribution rates of each year (Orden PJC/178/2025, Orden PJC/297/2026): percentages and bases by
 * the day from which they apply. A new year is a new entry.
 */
import type { Decimal } from '../../money.ts';

/** Percentages of a base. */
export interface Shares {
  readonly employer: Decimal;
  readonly employee: Decimal;
}

/** A step of the solidarity contribution: monthly pay up to a limit; `null` for none. */
export interface SolidarityStep extends Shares {
  readonly upTo: Decimal | null;
}

export interface PayrollRates {
  /** The first day on which they apply, until the next entry or the end of their year. */
  readonly from: string;
  readonly common: Shares;
  readonly mei: Shares;
  readonly unemployment: Readonly<Record<'indefinite' | 'temporary', Shares>>;
  readonly training: Shares;
  readonly fogasa: Shares;
  readonly overtime: Shares;
  readonly forceMajeure: Shares;
  readonly solidarity: readonly SolidarityStep[];
  /** Minimum monthly bases of contribution groups 1 to 7, in order. */
  readonly monthlyMinimum: readonly Decimal[];
  readonly monthlyMaximum: Decimal;
  /** Minimum monthly base for accidents, unemployment, training and FOGASA, in all groups. */
  readonly professionalMinimum: Decimal;
  /** Daily bases of groups 8 to 11. */
  readonly dailyMinimum: Decimal;
  readonly dailyMaximum: Decimal;
}

const UNCHANGED = {
  common: { employer: '23.60', employee: '4.70' },
  unemployment: {
    indefinite: { employer: '5.50', employee: '1.55' },
    temporary: { employer: '6.70', employee: '1.60' },
  },
  training: { employer: '0.60', employee: '0.10' },
  fogasa: { employer: '0.20', employee: '0' },
  overtime: { employer: '23.60', employee: '4.70' },
  forceMajeure: { employer: '12.00', employee: '2.00' },
} as const;

const RATES: readonly PayrollRates[] = [
  {
    ...UNCHANGED,
    from: '2025-01-01',
    mei: { employer: '0.67', employee: '0.13' },
    solidarity: [
      { upTo: '5400.45', employer: '0.77', employee: '0.15' },
      { upTo: '7364.25', employer: '0.83', employee: '0.17' },
      { upTo: null, employer: '0.98', employee: '0.19' },
    ],
    monthlyMinimum: ['1929.00', '1599.60', '1391.70', '1381.20', '1381.20', '1381.20', '1381.20'],
    monthlyMaximum: '4909.50',
    professionalMinimum: '1381.20',
    dailyMinimum: '46.04',
    dailyMaximum: '163.65',
  },
  {
    ...UNCHANGED,
    from: '2026-01-01',
    mei: { employer: '0.75', employee: '0.15' },
    solidarity: [
      { upTo: '5611.32', employer: '0.96', employee: '0.19' },
      { upTo: '7651.80', employer: '1.04', employee: '0.21' },
      { upTo: null, employer: '1.22', employee: '0.24' },
    ],
    monthlyMinimum: ['1989.30', '1649.70', '1435.20', '1424.40', '1424.40', '1424.40', '1424.40'],
    monthlyMaximum: '5101.20',
    professionalMinimum: '1424.40',
    dailyMinimum: '47.48',
    dailyMaximum: '170.04',
  },
];

/** Finds the rates of a day, or null if unknown: an order applies to its year only. */
export function ratesOn(day: string): PayrollRates | null {
  const rates = RATES.findLast(({ from }) => from <= day);
  return rates?.from.slice(0, 4) === day.slice(0, 4) ? rates : null;
}
