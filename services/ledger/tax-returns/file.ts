/** Files returns, which freezes their boxes and settles the period's VAT, and undoes the latest one (decision 0173). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { assertVersion } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { isLast, normalPeriod, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import type { SettlementAccounts } from '../../../domain/ledger/tax-returns/settlement.ts';
import { decimal } from '../../../domain/money.ts';
import { taxName } from '../../../domain/trade/documents/tax-sets.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { loadSettings, lockFiscalYears } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { AccountBook } from '../accounting/account-book.ts';
import { openDay } from '../accounting/open-day.ts';
import { assertAccrued } from '../accounting/pending-taxes.ts';
import { addEntry, addReversal, loadPosted } from '../accounting/write-entry.ts';
import { openYear } from '../periods/open-year.ts';
import { computeReturn, MODELS } from './models.ts';
import { assertInOrder } from './order.ts';
import type { TaxReturnInput } from './schemas.ts';
import { buildSettlement, SETTLEMENT_ROLES } from './settlement.ts';

interface Checked {
  readonly model: TaxModel;
  readonly year: number;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly refund: boolean;
  readonly overrides: Overrides;
  /** Date of the settlement entry. */
  readonly date: string;
}

/**
 * Files a return. Returns of models that carry amounts over to the next are filed in the order of their periods: after
 * the first one without gaps (order.ts).
 * @throws ServiceError validation_failed (the period has not ended or does not suit the model, a box cannot be stated,
 * an account cannot be used), duplicate, overlap, invalid_transition (a later one is filed, or an earlier one is not), period_closed
 */
export async function fileReturn(trx: Db, ctx: Context, input: TaxReturnInput): Promise<TaxReturn> {
  const checked = checkInput(input);
  const { model, year, period, from, to, refund, overrides, date } = checked;
  const { settlement, accrues } = MODELS[model];
  // Open years before locking them, in the same order as everywhere else.
  if (settlement !== null) await openYear(trx, ctx, date);
  await lockFiscalYears(trx, ctx);
  await assertFileable(trx, ctx, checked);
  await assertInOrder(trx, ctx, checked);
  if (accrues) await assertAccrued(trx, to);
  const computed = await computeReturn(trx, ctx.tenantId, { model, year, period }, { refund, overrides });
  const { boxes, type, result, carry, details } = computed;
  assertStated(boxes, overrides);
  const changes = new Changes(ctx);
  const id = newId();
  const lines = settlement === null ? [] : await settle(trx, (accounts) => settlement.lines(computed, accounts));
  let entryId: string | null = null;
  if (lines.length > 0) {
    const on = await openDay(trx, ctx, 'general', date, to, '/date');
    const description = `${settlement?.title} ${period} ${year}`;
    entryId = addEntry(changes, { ...on, description, sourceType: 'tax_return', sourceId: id, lines });
  }
  const filed = { id, model, year, period, from, to, refund, boxes, overrides, type, result, carry, details, entryId };
  const row = changes.create(TaxReturn, { ...filed, createdBy: ctx.userId });
  await changes.write(trx);
  return row;
}

/**
 * Undoes a return, the latest one of a model that carries amounts over, and reverses its settlement on the settlement's own date.
 * @throws ServiceError not_found, stale_version, invalid_transition (a later one is filed), period_closed
 */
export async function undoReturn(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await lockFiscalYears(trx, ctx);
  const current = await TaxReturn.query(trx).findById(id).forUpdate();
  if (current === undefined) throw notFound('This tax return');
  assertVersion(current, ifMatch);
  const { model, to, entryId } = current;
  const later = await TaxReturn.query(trx).where({ model }).where('to', '>', to).orderBy('to', 'desc').first();
  if (later !== undefined && MODELS[model].carries !== null) {
    const name = `${later.year} ${later.period}`;
    throw new ServiceError('invalid_transition', `Model ${model} of ${name} is filed too; undo that first`);
  }
  const changes = new Changes(ctx);
  changes.delete(TaxReturn, current);
  if (entryId !== null) {
    const entry = await loadPosted(trx, { id: entryId });
    addReversal(changes, entry, await openDay(trx, ctx, 'general', entry.date, entry.date));
  }
  await changes.write(trx);
}

function checkInput(input: TaxReturnInput): Checked {
  const { model, year } = input;
  const { periods, statable, counts, refunds } = MODELS[model];
  const faults = new Faults();
  const period = normalPeriod(input.period ?? (periods.length === 1 ? (periods[0] as string) : ''));
  if (!periods.includes(period)) {
    const code = period === '' ? 'required' : 'out_of_range';
    faults.add('/period', code, `must be a period of model ${model}: ${periods.join(', ')}`);
  }
  const refund = input.refund ?? false;
  if (refund && !(refunds && isLast({ year, period }))) {
    faults.add('/refund', 'not_applicable', 'is only for model 303 of the last period of a year (4T or 12)');
  }
  const overrides: Record<string, `${number}`> = {};
  for (const [box, value] of Object.entries(input.overrides ?? {})) {
    if (!statable.has(box)) {
      faults.add(`/overrides/${box}`, 'not_applicable', `must be a box of model ${model} that can be stated`);
    } else if (counts.has(box) && !(Number.isInteger(value) && value >= 0)) {
      faults.add(`/overrides/${box}`, 'out_of_range', 'must be a number of people');
    }
    overrides[box] = decimal(value).toFixed();
  }
  faults.throwIfAny();
  const { from, to } = periodSpan({ year, period });
  const date = input.date ?? to;
  if (date < to) throw invalidMember('/date', 'out_of_range', `must not be before the end of the period, ${to}`);
  return { model, year, period, from, to, refund, overrides, date };
}

async function assertFileable(trx: Db, ctx: Context, { model, year, period, from, to }: Checked): Promise<void> {
  if ((await loadToday(trx, ctx)) <= to) {
    throw invalidMember('/period', 'out_of_range', `cannot be filed because it is not over before ${to} has passed`);
  }
  const { country, taxSet } = await loadSettings(trx, 'company');
  if (country !== SPAIN) {
    throw invalidMember(
      '/model',
      'not_applicable',
      `cannot be filed because it is Spanish, and the company is in ${country}`,
    );
  }
  if (MODELS[model].vat && taxSet !== 'vat') {
    const charged = taxName(taxSet, 'en');
    throw invalidMember(
      '/model',
      'not_applicable',
      `cannot be filed because it is of VAT, and the company charges ${charged}`,
    );
  }
  const { taxpayer } = await loadSettings(trx, 'tax');
  if (MODELS[model].personal && taxpayer === 'company') {
    throw invalidMember('/model', 'not_applicable', 'cannot be filed because companies pay corporate tax instead');
  }
  // Finds the nearest return over the same days, or a later one if that matters.
  const others = TaxReturn.query(trx).where({ model }).where('to', '>=', from).orderBy('from');
  const other = await (MODELS[model].carries === null ? others.where('from', '<=', to) : others).first();
  if (other === undefined) return;
  const name = `Model ${model} of ${other.year} ${other.period}`;
  if (other.year === year && other.period === period) throw new ServiceError('duplicate', `${name} is already filed`);
  if (other.from > to) throw new ServiceError('invalid_transition', `${name} is filed already, and comes later`);
  throw new ServiceError('overlap', `${name} is filed already, and has some of the same days`);
}

/** Checks stated boxes that depend on other boxes. */
function assertStated(boxes: BoxValues, overrides: Overrides): void {
  const of = (box: string) => decimal(boxes[box] ?? '0');
  if (overrides['78'] !== undefined && (of('78').lt(0) || of('78').gt(of('110')))) {
    throw invalidMember('/overrides/78', 'out_of_range', `must be between 0 and box 110, ${of('110').toFixed(2)}`);
  }
  if (overrides['65'] !== undefined && (of('65').lt(0) || of('65').gt(100))) {
    throw invalidMember('/overrides/65', 'out_of_range', 'must be a percentage between 0 and 100');
  }
  if (overrides['110'] !== undefined && of('110').lt(0)) {
    throw invalidMember('/overrides/110', 'out_of_range', 'must not be below 0');
  }
}

async function settle(trx: Db, lines: (accounts: SettlementAccounts) => EntryLine[]): Promise<EntryLine[]> {
  return buildSettlement(await AccountBook.loadLocked(trx, { roles: [...SETTLEMENT_ROLES] }), lines);
}
