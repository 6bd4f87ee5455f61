/** Refuses returns that would leave out earlier ones of their model (decision 0243). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { ANNUAL, periodContaining, periodSpan, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import type { Carried } from './definition.ts';
import { readFiled } from './filed.ts';
import { MODELS } from './models.ts';

interface ToFile extends TaxPeriod {
  readonly model: TaxModel;
  readonly from: string;
  readonly overrides: Overrides;
}

/**
 * Checks that nothing is left out before a return of a model that carries amounts over: it follows the latest filed one, or, if it is the
 * first, the books have nothing for an earlier one. A first return may follow others filed elsewhere if it states what these carry over.
 * @throws ServiceError invalid_transition naming the return to file first
 */
export async function assertInOrder(trx: Db, ctx: Context, filing: ToFile): Promise<void> {
  const { carries } = MODELS[filing.model];
  if (carries !== null) await assertFollows(trx, ctx, filing, carries);
}

async function assertFollows(
  trx: Db,
  { tenantId }: Context,
  { model, from, overrides, ...period }: ToFile,
  { box, yearly, firstActivity }: Carried,
): Promise<void> {
  const last = daysAfter(from, -1);
  const latest = (await readFiled(trx, model, last)).at(-1);
  const earliest = yearly ? periodSpan({ ...period, period: ANNUAL }).from : undefined;
  const follows = latest !== undefined && (earliest === undefined || latest.to >= earliest);
  if (!follows && overrides[box] !== undefined) return;
  const days = { ...(earliest === undefined ? {} : { from: earliest }), to: last };
  const first = async () =>
    earliest !== undefined && earliest > last ? null : await firstActivity(trx, tenantId, days);
  const missing = follows ? daysAfter(latest.to, 1) : await first();
  if (missing === null || missing >= from) return;
  const { year, period: name } = periodContaining(period.period, missing);
  const stated = `state box ${box} in overrides if earlier returns were filed elsewhere`;
  throw new ServiceError(
    'invalid_transition',
    `Model ${model} of ${year} ${name} must be filed first, because returns of a model are filed in order` +
      (follows ? '' : `; ${stated}`),
  );
}
