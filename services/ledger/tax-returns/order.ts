/** Refuses returns that would leave out earlier ones of their model (decision 0243). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { ANNUAL, periodContaining, periodSpan, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { readBalances } from '../accounting/balances/read.ts';
import { readFiled, type TaxModel } from './filed.ts';
import { readMonthTotals } from './taxes.ts';

/** The box by which the first return of a model states what earlier ones, filed elsewhere, carry over to it. */
const CARRIED: Readonly<Record<TaxModel, string>> = { '130': '05', '303': '110', '390': '85' };

interface ToFile extends TaxPeriod {
  readonly model: TaxModel;
  readonly from: string;
  readonly overrides: Overrides;
}

/**
 * Checks that nothing is left out before a return: it follows the latest filed one, or, if it is the first, the books
 * have nothing for an earlier one. A first return may follow others filed elsewhere if it states what these carry over.
 * @throws ServiceError invalid_transition naming the return to file first
 */
export async function assertInOrder(
  trx: Db,
  ctx: Context,
  { model, from, overrides, ...period }: ToFile,
): Promise<void> {
  const last = daysAfter(from, -1);
  const latest = (await readFiled(trx, model, last)).at(-1);
  // Model 130 begins anew each year.
  const earliest = model === '130' ? periodSpan({ ...period, period: ANNUAL }).from : undefined;
  const follows = latest !== undefined && (earliest === undefined || latest.to >= earliest);
  const elsewhere = !follows && overrides[CARRIED[model]] !== undefined;
  if (elsewhere) return;
  const missing = follows
    ? daysAfter(latest.to, 1)
    : await firstActivity(trx, ctx, model, { from: earliest, to: last });
  if (missing === null || missing >= from) return;
  const first = periodContaining(period.period, missing);
  const stated = `state box ${CARRIED[model]} in overrides if earlier returns were filed elsewhere`;
  throw new ServiceError(
    'invalid_transition',
    `Model ${model} of ${first.year} ${first.period} must be filed first, because returns of a model are filed in order` +
      (follows ? '' : `; ${stated}`),
  );
}

/** The first month in which the books have something that the model declares. */
async function firstActivity(
  trx: Db,
  { tenantId }: Context,
  model: TaxModel,
  { from, to }: { readonly from: string | undefined; readonly to: string },
): Promise<string | null> {
  const days = { ...(from === undefined ? {} : { from }), to };
  if (days.from !== undefined && days.from > to) return null;
  if (model === '130') {
    const spans = { found: { ...days, kinds: 'normal' } } as const;
    const balances = await readBalances(trx, { tenantId, spans, by: ['month'], types: ['income', 'expense'] });
    return earliestMonth(balances);
  }
  const taxes = await readMonthTotals(trx, tenantId, days);
  return earliestMonth(taxes.filter(({ kind }) => kind !== 'withholding'));
}

function earliestMonth(months: readonly { readonly month: string }[]): string | null {
  return months.map(({ month }) => month).sort()[0] ?? null;
}
