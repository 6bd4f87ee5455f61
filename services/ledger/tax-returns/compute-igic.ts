/** Computes the IGIC returns of a company: those of quarters (420), and the annual summary (425). */
import type { Reader } from '../../../db/database.ts';
import { type BoxSource, boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { model420 } from '../../../domain/ledger/tax-returns/model420.ts';
import { enter425, model425, type Return425 } from '../../../domain/ledger/tax-returns/model425.ts';
import { ANNUAL, periodSpan, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import {
  type ComputedPeriod,
  type CreditModel,
  computePeriod,
  type FilingOptions,
  yearReturns,
} from './credit-returns.ts';
import { type FiledReturn, readOwn } from './filed.ts';
import { readTaxTotals } from './taxes.ts';

const MODEL_420: CreditModel = { model: '420', compute: model420 };

/** Computes the return of a quarter. @param asked options of a return to file; else those of the filed one */
export async function compute420(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  asked?: FilingOptions,
): Promise<ComputedPeriod> {
  return await computePeriod(reader, tenantId, MODEL_420, period, asked);
}

export interface Computed425 {
  readonly computed: Return425;
  readonly filed: FiledReturn | undefined;
  readonly sources: readonly BoxSource[];
}

/** Computes the annual summary. @param overrides of a return to file; else those of the filed one */
export async function compute425(
  reader: Reader,
  tenantId: string,
  year: number,
  overrides?: Overrides,
): Promise<Computed425> {
  const whole = { year, period: ANNUAL };
  const filed = await readOwn(reader, '425', whole);
  const span = { first: { year, period: '1T' }, last: { year, period: '4T' } };
  const returns = await yearReturns(reader, tenantId, MODEL_420, span);
  const totals = await readTaxTotals(reader, tenantId, periodSpan(whole));
  const stated = overrides ?? filed?.overrides ?? {};
  return {
    computed: model425({ totals, returns, overrides: stated }),
    filed,
    sources: boxSources(totals, enter425),
  };
}
