/** The charts of accounts that companies can have. */
import type { AccountChart } from './chart.ts';
import { DE_SKR04 } from './de-skr04.ts';
import { ES_PGC } from './es-pgc.ts';
import { ES_PGC_PYMES } from './es-pgc-pymes.ts';
import { FR_PCG } from './fr-pcg.ts';
import { NEUTRAL } from './neutral.ts';
import { PT_SNC } from './pt-snc.ts';

/** The chart of companies that never chose one. */
export const DEFAULT_CHART = ES_PGC_PYMES;

/** The first of a country is that of its new companies. */
export const CHARTS: readonly AccountChart[] = [ES_PGC_PYMES, ES_PGC, FR_PCG, PT_SNC, DE_SKR04, NEUTRAL];
export const CHART_CODES: readonly string[] = CHARTS.map(({ code }) => code);

const BY_CODE: ReadonlyMap<unknown, AccountChart> = new Map(CHARTS.map((chart) => [chart.code, chart]));

/** The chart with a code; the default one if there is none. */
export function chartNamed(code: unknown): AccountChart {
  return BY_CODE.get(code) ?? DEFAULT_CHART;
}

/** The chart of new companies in a country. */
export function chartFor(country: string): AccountChart {
  return CHARTS.find((chart) => chart.country === country) ?? NEUTRAL;
}
