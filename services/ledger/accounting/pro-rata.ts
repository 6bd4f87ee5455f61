/**
 * The pro rata of a calendar year: provisional until the year ends, then regularised (LIVA, arts. 104 and 105; decision
 * 0160).
 */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { ProRataAdjustment } from '../../../db/models/ledger/accounting.ts';
import { jsonList } from '../../../db/models/selected.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { adjustmentLines, definitivePercent } from '../../../domain/ledger/accounting/pro-rata.ts';
import { type Decimal, decimal, round, toNumber } from '../../../domain/money.ts';
import type { TaxOperation } from '../../../domain/trade/documents/operations.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { loadSettings, lockFiscalYears, replaceSettings } from '../../platform/settings/settings.ts';
import { openYear } from '../periods/open-year.ts';
import { AccountBook } from './account-book.ts';
import { addYearlyRegularisation } from './investment-goods.ts';
import { openDay } from './open-day.ts';
import { readSoldGoods, sumSold } from './sold-goods.ts';
import { addEntry } from './write-entry.ts';

/** Ledger totals of a year. */
interface Found {
  /** Net sales with the right to deduct, and all sales that count: without investment goods (LIVA, art. 104). */
  readonly withRight: Decimal;
  readonly operations: Decimal;
  /** Tax on purchases to which the pro rata applies, and the part deducted so far. */
  readonly subject: Decimal;
  readonly deducted: Decimal;
  readonly places: number;
  /** Whether the year has ended or ends today. */
  readonly over: boolean;
  readonly adjustments: readonly Stored[];
  /** Percentage of tax deducted so far. */
  readonly provisional: Decimal;
}

type Stored = Pick<
  ProRataAdjustment,
  'id' | 'year' | 'percent' | 'subject' | 'deducted' | 'difference' | 'entryId' | 'createdAt'
>;

/** Excludes self-assessed tax, which is declared like sales without being one. */
const SALES = `tax_kind = 'output' and not (tax_amount <> 0
  and tax_operation in ('intra_eu_goods', 'intra_eu_services', 'services_from_abroad', 'reverse_charge'))`;
const INPUT = `tax_kind = 'input' and tax_use <> 'none'`;

const YEAR_SQL = `
  with lines as (
    select l.tax_kind, l.tax_use, l.tax_operation, l.tax_base, l.tax_amount, coalesce(l.tax_subject, l.tax_amount) as subject,
      e.source_type = 'pro_rata' as adjusts
    from journal_lines l join journal_entries e on e.id = l.entry_id
    where l.tax_kind is not null and l.date between make_date(:year::integer, 1, 1) and make_date(:year::integer, 12, 31)
  )
  select coalesce(sum(tax_base) filter (where ${SALES} and tax_operation not in ('exempt', 'not_subject')), 0)::text as "withRight",
    coalesce(sum(tax_base) filter (where ${SALES} and tax_operation <> 'not_subject'), 0)::text as operations,
    coalesce(sum(subject) filter (where ${INPUT}), 0)::text as subject,
    coalesce(sum(tax_amount) filter (where ${INPUT} and (subject <> 0 or adjusts)), 0)::text as deducted,
    ${PLACES} as places, ${TODAY} >= make_date(:year::integer, 12, 31) as over,
    ${jsonList(`select a.id, a.year, a.percent::text, a.subject::text, a.deducted::text, a.difference::text, a.entry_id as "entryId",
      a.created_at as "createdAt" from pro_rata_adjustments a where a.year = :year::integer order by a.id`)} as adjustments,
    coalesce((select a.percent from pro_rata_adjustments a where a.year = :year::integer order by a.id desc limit 1),
      (select coalesce(d.pro_rata, 100) from documents d where d.doc_type = 'PINV' and d.posted_at is not null and d.rectifies is null
        and d.date between make_date(:year::integer, 1, 1) and make_date(:year::integer, 12, 31) order by d.date desc, d.id desc limit 1),
      (select a.percent from pro_rata_adjustments a where a.year < :year::integer order by a.year desc, a.id desc limit 1),
      100)::text as provisional
  from lines`;

/** Reads the current pro rata of a year, and the entry that regularising it would make. */
export async function readProRata(reader: Reader, ctx: Context, year: number) {
  const found = await load(reader, ctx, year);
  const { proRata } = await loadSettings(reader, 'tax');
  const computed = definitivePercent(found.withRight, found.operations);
  const { subject, deducted, adjustments } = found;
  return {
    year,
    percent: toNumber(adjustments.at(-1)?.percent ?? proRata),
    definitive: adjustments.length > 0,
    computedPercent: toNumber(computed),
    operations: toNumber(found.operations),
    operationsWithRight: toNumber(found.withRight),
    subjectTax: toNumber(subject),
    deductedTax: toNumber(deducted),
    difference: toNumber(differenceAt(found, computed)),
    adjustments: adjustments.map(adjustmentToJson),
  };
}

/**
 * Regularises a year: adjusts the tax deducted to the definitive percentage, by an entry on its last day on 472 against
 * 639 or 634. When repeated, it enters changes since the last time, if there are any. The percentage of the latest year becomes the
 * provisional one (LIVA, art. 105.Two), unless a person has changed that in the meantime. Deductions on investment goods of
 * earlier years are regularised with it (art. 107).
 * @param percent the definitive percentage; defaults to the ledger's
 * @throws ServiceError validation_failed (the year has not ended), period_closed, invalid_transition (no pro rata
 * applies)
 */
export async function regulariseProRata(trx: Db, ctx: Context, year: number, percent: number | undefined) {
  const day = `${String(year).padStart(4, '0')}-12-31`;
  // Open years before locking them, in the same order as everywhere else.
  await openYear(trx, ctx, day);
  await lockFiscalYears(trx, ctx);
  const found = await load(trx, ctx, year);
  if (!found.over)
    throw invalidMember('/year', 'out_of_range', `${year} is not over: its pro rata is still provisional`);
  const definitive =
    percent === undefined ? definitivePercent(found.withRight, found.operations) : decimal(percent).toFixed();
  const on = await openDay(trx, ctx, 'general', day, day);
  const difference = differenceAt(found, definitive);
  const changes = new Changes(ctx);
  let entryId: string | null = null;
  if (!decimal(difference).eq(0)) {
    const book = await AccountBook.loadLocked(trx, { roles: ['inputTax', 'taxAdjustmentGain', 'taxAdjustmentLoss'] });
    const gain = decimal(difference).gt(0);
    const other = book.role(gain ? 'taxAdjustmentGain' : 'taxAdjustmentLoss');
    const lines = book.completed(adjustmentLines(difference, { input: book.role('inputTax'), other }));
    const description = `Regularización de la prorrata ${year} (${decimal(definitive).toFixed()} %)`;
    entryId = addEntry(changes, { ...on, description, sourceType: 'pro_rata', sourceId: null, lines });
  }
  const { subject, deducted, withRight, operations } = found;
  const values = { year, percent: definitive, subject, deducted, difference, withRight, operations, entryId };
  const before = found.adjustments.at(-1)?.percent;
  const isChanged = entryId !== null || before === undefined || !decimal(before).eq(definitive);
  if (isChanged) changes.create(ProRataAdjustment, values);
  await addYearlyRegularisation(trx, changes, { year, percent: definitive, on });
  await changes.write(trx);
  await makeProvisional(trx, ctx, year, found.provisional, definitive);
  return await readProRata(trx, ctx, year);
}

/**
 * Checks that no provisional pro rata remains.
 * @throws ServiceError invalid_transition when a year that ends in the span deducted tax by one
 */
export async function assertRegularised(trx: Db, span: { readonly from: string; readonly to: string }): Promise<void> {
  const [left] = await query<{ year: number }>(
    trx,
    `select extract(year from l.date)::integer as year from journal_lines l
     where l.tax_kind = 'input' and l.tax_subject <> 0
       and make_date(extract(year from l.date)::integer, 12, 31) between :from::date and :to::date
       and l.date >= make_date(extract(year from :from::date)::integer, 1, 1) and l.date <= :to::date
       and not exists (select from pro_rata_adjustments a where a.year = extract(year from l.date)::integer)
     limit 1`,
    span,
  );
  if (left === undefined) return;
  const message = `The pro rata of ${left.year} is provisional; regularise it first (POST /api/pro-rata/${left.year})`;
  throw new ServiceError('invalid_transition', message);
}

async function load(reader: Reader, ctx: Context, year: number): Promise<Found> {
  const [found] = await query<Found>(reader, YEAR_SQL, { year, now: ctx.now.toISOString() });
  if (found === undefined) throw new Error('the statement always returns one row');
  const sold = await readSoldGoods(reader, year);
  const less = (all: Decimal, without: readonly TaxOperation[]) =>
    decimal(all)
      .minus(sumSold(sold, (operation) => !without.includes(operation)))
      .toFixed();
  return {
    ...found,
    withRight: less(found.withRight, ['exempt', 'not_subject']),
    operations: less(found.operations, ['not_subject']),
  };
}

function differenceAt({ subject, deducted, places }: Found, percent: Decimal): Decimal {
  return decimal(round(decimal(subject).times(percent).times('0.01'), places))
    .minus(deducted)
    .toFixed();
}

/** Sets the provisional percentage, unless a person has changed it: another may be authorised (LIVA, art. 105.Two). */
async function makeProvisional(trx: Db, ctx: Context, year: number, provisional: Decimal, percent: Decimal) {
  const [later] = await query(trx, 'select from pro_rata_adjustments where year > :year::integer limit 1', { year });
  if (later !== undefined) return;
  const settings = await loadSettings(trx, 'tax');
  if (!decimal(settings.proRata).eq(provisional)) return;
  await replaceSettings(trx, ctx, 'tax', { ...settings, proRata: toNumber(percent) });
}

function adjustmentToJson({ id, percent, subject, deducted, difference, entryId, createdAt }: Stored) {
  return {
    id,
    percent: toNumber(percent),
    subjectTax: toNumber(subject),
    deductedTax: toNumber(deducted),
    difference: toNumber(difference),
    entryId,
    createdAt: new Date(createdAt).toISOString(),
  };
}
