/** Refuses returns that would leave out earlier ones of their model (decision 0243). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { TAX_MODELS, type TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import {
  ANNUAL,
  isLast,
  periodContaining,
  periodSpan,
  type TaxPeriod,
} from '../../../domain/ledger/tax-returns/periods.ts';
import type { Carried } from './definition.ts';
import { readFiled } from './filed.ts';
import { MODELS } from './models.ts';

interface ToFile extends TaxPeriod {
  readonly model: TaxModel;
  readonly from: string;
  readonly to: string;
  readonly overrides: Overrides;
}

/**
 * Checks that nothing is left out before a return of a model that carries amounts over: it follows the latest filed one, or, if it is the
 * first, the books have nothing for an earlier one. A first return may follow others filed elsewhere if it states what these carry over.
 * An annual summary follows the last return of its year.
 * @throws ServiceError invalid_transition naming the return to file first
 */
export async function assertInOrder(trx: Db, ctx: Context, filing: ToFile): Promise<void> {
  const { carries, summarizes } = MODELS[filing.model];
  if (carries !== null) await assertFollows(trx, ctx, filing, carries);
  if (summarizes !== null) await assertSummed(trx, filing, summarizes);
}

/** A summary of returns that were all filed elsewhere may be filed here. */
async function assertSummed(trx: Db, { model, year, to }: ToFile, summarized: TaxModel): Promise<void> {
  const latest = (await readFiled(trx, summarized, to)).findLast((each) => each.year === year);
  if (latest === undefined || isLast(latest)) return;
  throw new ServiceError(
    'invalid_transition',
    `Model ${summarized} of ${year} must be filed to its last period first, because model ${model} adds up the year's returns`,
  );
}

/** Refuses to undo a return that is part of a filed annual summary. @throws ServiceError invalid_transition */
export async function assertNotSummed(trx: Db, { model, year, id }: TaxReturn): Promise<void> {
  const summaries = TAX_MODELS.filter((each) => MODELS[each].summarizes === model);
  // One that was filed before a rectification has not taken anything from it; ids are in the order of filing.
  const summary = await TaxReturn.query(trx).whereIn('model', summaries).where({ year }).where('id', '>', id).first();
  if (summary === undefined) return;
  const message = `Model ${summary.model} of ${year} is filed too, and adds it up; undo that first`;
  throw new ServiceError('invalid_transition', message);
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
