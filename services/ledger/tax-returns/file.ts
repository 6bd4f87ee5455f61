/** Files returns, which freezes their boxes and settles the period's VAT or IGIC, and undoes the latest one (decision 0173). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { RECTIFYING, RECTIFYING_WAYS } from '../../../domain/ledger/tax-returns/rectifying.ts';
import type { SettlementAccounts } from '../../../domain/ledger/tax-returns/settlement.ts';
import { lockFiscalYears } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { AccountBook } from '../accounting/account-book.ts';
import { openDay } from '../accounting/open-day.ts';
import { assertAccrued } from '../accounting/pending-taxes.ts';
import { addEntry, addReversal, loadPosted } from '../accounting/write-entry.ts';
import { openYear } from '../periods/open-year.ts';
import { assertFileable, assertFree, assertStated, checkInput } from './fileable.ts';
import { computeReturn, MODELS } from './models.ts';
import { assertInOrder, assertNotSummed } from './order.ts';
import { assertRectifies, loadRectified, withFiled } from './rectify.ts';
import type { TaxReturnInput } from './schemas.ts';
import { buildSettlement, readEntered, SETTLEMENT_ROLES } from './settlement.ts';

/**
 * Files a return, or one that rectifies the return in force of its period, whose settlement is the difference. Returns of models that
 * carry amounts over to the next are filed in the order of their periods: after the first one without gaps (order.ts).
 * @throws ServiceError validation_failed (the period has not ended or does not suit the model, a box cannot be stated, nothing is to be
 * rectified, an account cannot be used), duplicate, overlap, invalid_transition (a later one is filed, or an earlier one is not),
 * period_closed
 */
export async function fileReturn(trx: Db, ctx: Context, input: TaxReturnInput): Promise<TaxReturn> {
  const today = await loadToday(trx, ctx);
  const checked = checkInput(input, today);
  const { model, year, period, from, to, refund, date, rectification } = checked;
  const { settlement, accrues } = MODELS[model];
  // Open years before locking them, in the same order as everywhere else.
  if (settlement !== null) await openYear(trx, ctx, date);
  await lockFiscalYears(trx, ctx);
  await assertFileable(trx, checked, today);
  const rectified = rectification === null ? [] : await loadRectified(trx, checked, rectification);
  const rectifies = rectified.length > 0;
  if (!rectifies) {
    await assertFree(trx, checked);
    await assertInOrder(trx, ctx, checked);
  }
  if (accrues) await assertAccrued(trx, to);
  const overrides = rectifies ? withFiled(model, rectified, checked.overrides) : checked.overrides;
  const options = { refund, rectifies, overrides };
  const computed = await computeReturn(trx, ctx.tenantId, { model, year, period }, options);
  const { boxes, type, result, carry, details } = computed;
  assertStated(model, boxes, overrides);
  if (rectifies) assertRectifies(model, computed, rectified);
  const changes = new Changes(ctx);
  const id = newId();
  const entered = rectifies && settlement !== null ? await readEntered(trx, checked) : null;
  const lines =
    settlement === null ? [] : await settle(trx, (accounts) => settlement.lines(computed, accounts, entered));
  let entryId: string | null = null;
  if (lines.length > 0) {
    const on = await openDay(trx, ctx, 'general', date, to, '/date');
    const { way = null } = RECTIFYING[model] ?? {};
    const mark = rectifies && way !== null ? ` (${RECTIFYING_WAYS[way]})` : '';
    const description = `${settlement?.title} ${period} ${year}${mark}`;
    entryId = addEntry(changes, { ...on, description, sourceType: 'tax_return', sourceId: id, lines });
  }
  const filed = { id, model, year, period, from, to, refund, boxes, overrides, type, result, carry, details, entryId };
  const of = { sequence: rectified.length, receiptNumber: null, reason: null, ...rectification };
  const row = changes.create(TaxReturn, { ...filed, ...of, createdBy: ctx.userId });
  await changes.write(trx);
  return row;
}

/**
 * Undoes the return in force of a period, the latest one of a model that carries amounts over, and reverses its settlement on the
 * settlement's own date. What it rectified is in force again.
 * @throws ServiceError not_found, stale_version, invalid_transition (a later one or a summary is filed), period_closed
 */
export async function undoReturn(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await lockFiscalYears(trx, ctx);
  const current = await TaxReturn.query(trx).findById(id).forUpdate();
  if (current === undefined) throw notFound('This tax return');
  assertVersion(current, ifMatch);
  const { entryId } = current;
  await assertLast(trx, current);
  await assertNotSummed(trx, current);
  const changes = new Changes(ctx);
  changes.delete(TaxReturn, current);
  if (entryId !== null) {
    const entry = await loadPosted(trx, { id: entryId });
    addReversal(changes, entry, await openDay(trx, ctx, 'general', entry.date, entry.date));
  }
  await changes.write(trx);
}

async function assertLast(trx: Db, { model, year, period, to, sequence, id }: TaxReturn): Promise<void> {
  const returns = () => TaxReturn.query(trx).where({ model });
  const rectifying = await returns().where({ year, period }).where('sequence', '>', sequence).first();
  if (rectifying !== undefined) {
    throw new ServiceError('invalid_transition', `Model ${model} of ${year} ${period} is rectified; undo that first`);
  }
  if (MODELS[model].carries === null) return;
  // One that was filed before a rectification has not taken anything from it; ids are in the order of filing.
  const later = await returns().where('to', '>', to).where('id', '>', id).orderBy('to', 'desc').first();
  if (later !== undefined) {
    const name = `${later.year} ${later.period}`;
    throw new ServiceError('invalid_transition', `Model ${model} of ${name} is filed too; undo that first`);
  }
}

async function settle(trx: Db, lines: (accounts: SettlementAccounts) => EntryLine[]): Promise<EntryLine[]> {
  return buildSettlement(await AccountBook.loadLocked(trx, { roles: [...SETTLEMENT_ROLES] }), lines);
}
