/** Computes the returns of a model that compensate the credit of earlier ones, from the ledger and earlier filings. */
import type { Reader } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import {
  type CreditInput,
  type CreditReturn,
  computeReturns,
  type PeriodReturn,
  periodKey,
} from '../../../domain/ledger/tax-returns/credits.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { contains, periodSpan, periodsUntil, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { periodResult } from '../../../domain/ledger/tax-returns/rectifying.ts';
import { type FiledReturn, findFiled, readFiled } from './filed.ts';
import { type AccountTotal, readMonthTotals } from './taxes.ts';

/** A model whose returns compensate the credit of earlier ones. */
export interface CreditModel {
  readonly model: TaxModel;
  compute(input: CreditInput): CreditReturn;
}

/** The return of a period. */
export interface ComputedPeriod {
  /** Computed from the books as they are now. */
  readonly computed: CreditReturn;
  /** The filed version, if any. */
  readonly filed: FiledReturn | undefined;
  /** The period's taxes by account. */
  readonly totals: readonly AccountTotal[];
}

/** Options of filing; a filed return keeps the ones it was filed with. */
export interface FilingOptions {
  readonly refund: boolean;
  /** Whether the return rectifies an earlier one of its period. */
  readonly rectifies: boolean;
  readonly overrides: Overrides;
}

const NOTHING: FilingOptions = { refund: false, rectifies: false, overrides: {} };

/** Computes the return of a period. @param asked options of a return to file; else those of the filed one */
export async function computePeriod(
  reader: Reader,
  tenantId: string,
  model: CreditModel,
  period: TaxPeriod,
  asked?: FilingOptions,
): Promise<ComputedPeriod> {
  const filed = await readFiled(reader, model.model, periodSpan(period).to);
  const own = findFiled(filed, period);
  const others = filed.filter((each) => each !== own);
  const { returns, months } = await computeChain(reader, tenantId, model, {
    first: period,
    last: period,
    filed: others,
    asked: asked ?? (own === undefined ? NOTHING : filedOptions(own)),
  });
  const totals = months.filter(({ month }) => contains(period, month));
  return { computed: returns.at(-1) as PeriodReturn, filed: own, totals };
}

function filedOptions({ refund, sequence, overrides }: FiledReturn): FilingOptions {
  return { refund, rectifies: sequence > 0, overrides };
}

/** Loads a year's returns up to a period, each as filed or otherwise as computed. */
export async function yearReturns(
  reader: Reader,
  tenantId: string,
  model: CreditModel,
  { first, last }: { readonly first: TaxPeriod; readonly last: TaxPeriod },
): Promise<PeriodReturn[]> {
  const filed = await readFiled(reader, model.model, periodSpan(last).to);
  const { returns } = await computeChain(reader, tenantId, model, { first, last, filed, asked: NOTHING });
  return returns.filter(({ period }) => period.year === last.year);
}

interface Chain {
  readonly first: TaxPeriod;
  readonly last: TaxPeriod;
  readonly filed: readonly FiledReturn[];
  readonly asked: FilingOptions;
}

/**
 * Computes consecutive returns. The opening credit comes from the latest return filed before the first requested
 * period; without one, it is computed from all periods before.
 */
async function computeChain(
  reader: Reader,
  tenantId: string,
  { model, compute }: CreditModel,
  { first, last, filed, asked }: Chain,
) {
  const { from } = periodSpan(first);
  const { to } = periodSpan(last);
  const anchor = filed.findLast((each) => each.to < from);
  const start = anchor && daysAfter(anchor.to, 1);
  const months = await readMonthTotals(reader, tenantId, { ...(start === undefined ? {} : { from: start }), to });
  const [earliest = from] = [from, ...months.map(({ month }) => month)].sort();
  const carried = anchor?.carry ?? '0';
  const returns = computeReturns(periodsUntil(last, start ?? earliest), months, {
    compute,
    carried,
    filed: new Map(
      filed.map(({ year, period, sequence, boxes, type, result, carry }) => {
        const own = { boxes, type: type as CreditReturn['type'], result };
        const whole = sequence === 0 ? own : periodResult(model, own);
        return [periodKey({ year, period }), { boxes, ...whole, left: carry }];
      }),
    ),
    last: asked,
  });
  return { returns, months };
}
