/** Computes the 303 returns of a company from the ledger and earlier filings. */
import type { Reader } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { Return303 } from '../../../domain/ledger/tax-returns/model303.ts';
import { contains, periodSpan, periodsUntil, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { periodResult } from '../../../domain/ledger/tax-returns/rectifying.ts';
import { computeReturns, type PeriodReturn, periodKey } from '../../../domain/ledger/tax-returns/year303.ts';
import { decimal } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type FiledReturn, findFiled, readFiled } from './filed.ts';
import { type AccountTotal, readMonthTotals } from './taxes.ts';

/** The 303 return of a period. */
export interface Computed303 {
  /** Computed from the books as they are now. */
  readonly computed: Return303;
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
export async function compute303(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  asked?: FilingOptions,
): Promise<Computed303> {
  const filed = await readFiled(reader, '303', periodSpan(period).to);
  const own = findFiled(filed, period);
  const others = filed.filter((each) => each !== own);
  const { returns, months } = await computeChain(reader, tenantId, {
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
  last: TaxPeriod,
  first: TaxPeriod,
): Promise<PeriodReturn[]> {
  const filed = await readFiled(reader, '303', periodSpan(last).to);
  const { returns } = await computeChain(reader, tenantId, { first, last, filed, asked: NOTHING });
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
async function computeChain(reader: Reader, tenantId: string, { first, last, filed, asked }: Chain) {
  const { from } = periodSpan(first);
  const { to } = periodSpan(last);
  const anchor = filed.findLast((each) => each.to < from);
  const start = anchor && daysAfter(anchor.to, 1);
  const months = await readMonthTotals(reader, tenantId, { ...(start === undefined ? {} : { from: start }), to });
  const [earliest = from] = [from, ...months.map(({ month }) => month)].sort();
  const carried = anchor?.carry ?? '0';
  const { stateShare } = await loadSettings(reader, 'tax');
  const returns = computeReturns(periodsUntil(last, start ?? earliest), months, {
    carried,
    filed: new Map(
      filed.map(({ year, period, sequence, boxes, type, result, carry }) => {
        const own = { boxes, type: type as Return303['type'], result };
        const whole = sequence === 0 ? own : periodResult(own);
        return [periodKey({ year, period }), { boxes, ...whole, left: carry }];
      }),
    ),
    stateShare: decimal(stateShare).toFixed(),
    last: asked,
  });
  return { returns, months };
}
