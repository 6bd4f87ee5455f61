/** Investment goods under a pro rata: those bought, and the regularisations of their deductions (decision 0346). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { GoodRegularisation } from '../../../db/models/ledger/accounting.ts';
import { jsonList } from '../../../db/models/selected.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, notFound, refused } from '../../../domain/errors.ts';
import {
  disposalDifference,
  type InvestmentGood,
  LEAST_VALUE,
  lastYear,
  regularisationLines,
  yearlyDifference,
} from '../../../domain/ledger/accounting/investment-goods.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { lockFiscalYears } from '../../platform/settings/settings.ts';
import { openYear } from '../periods/open-year.ts';
import { AccountBook } from './account-book.ts';
import { openDay } from './open-day.ts';
import { addEntry, addReversal, type EntryDay, loadPosted } from './write-entry.ts';

type Stored = Pick<GoodRegularisation, 'id' | 'year' | 'date' | 'reason' | 'percent' | 'amount' | 'entryId'>;

interface Good extends InvestmentGood {
  /** Line of the purchase invoice. */
  readonly id: string;
  readonly documentId: string;
  readonly documentCode: string;
  readonly description: string;
  readonly date: string;
  readonly base: Decimal;
  readonly places: number;
  readonly adjustments: readonly Stored[];
}

/**
 * Lines of purchases for investment, less what was credited. Lines of one activity under the special pro rata are not common to several,
 * and retailers under the surcharge deduct nothing. Land and buildings are told by their accounts (PGC 210, 211, 220 and 221).
 */
const GOODS_SQL = `
  with bought as (
    select l.id, d.id as document_id, d.code, l.description, coalesce(d.operation_date, d.document_date, d.date) as date, l.quantity,
      coalesce(l.company_amount, l.amount) + coalesce((select sum(coalesce(c.company_amount, c.amount)) from document_lines c
        join documents r on r.id = c.document_id
        where c.base_line_id = l.id and r.rectifies is not null and r.posted_at is not null and r.cancelled_at is null), 0) as base,
      case when l.tax_rate <> 0 then l.tax_rate
        when coalesce(l.vat_regime, d.vat_regime) in ('intra_eu', 'reverse_charge') and t.kind in ('vat', 'reverse_charge') then t.rate
        else 0 end * coalesce(l.deductible_percent, 100) / 100 as rate, d.pro_rata, a.code as account
    from documents d join document_lines l on l.document_id = d.id join taxes t on t.id = l.tax_group_id
      left join items i on i.id = l.item_id left join accounts a on a.id = coalesce(l.account_id, i.purchase_account_id)
    where d.doc_type = 'PINV' and d.posted_at is not null and d.cancelled_at is null and d.rectifies is null
      and l.vat_use = 'investment' and l.quantity > 0 and d.deduction_regime is distinct from 'surcharge'
      and (d.deduction_regime is distinct from 'special' or l.deductible_percent is null)
      and (:id::uuid is null or l.id = :id::uuid)
      and (:id::uuid is not null or d.date >= make_date(:year::integer - 11, 1, 1))
  )
  select b.id, b.document_id as "documentId", b.code as "documentCode", coalesce(b.description, '') as description, b.date, b.base::text,
    extract(year from b.date)::integer as acquired,
    case when b.account ~ '^(21[01]|22[01])' then 10 else 5 end as years,
    round(b.base * b.rate / 100, ${PLACES})::text as tax, ${PLACES} as places,
    coalesce((select p.percent from pro_rata_adjustments p where p.year = extract(year from b.date)::integer order by p.id desc limit 1),
      b.pro_rata, 100)::text as percent,
    ${jsonList(`select g.id, g.year, g.date, g.reason, g.percent::text, g.amount::text, g.entry_id as "entryId"
      from good_regularisations g where g.line_id = b.id order by g.date, g.id`)} as adjustments
  from bought b where b.base / b.quantity > ${LEAST_VALUE} and b.rate <> 0 and b.date <= make_date(:year::integer, 12, 31)
  order by b.date, b.code, b.id`;

/** Reads the goods that are regularised in a year, or were bought in it. */
export async function readInvestmentGoods(reader: Reader, year: number) {
  return (await load(reader, year)).filter((good) => year <= lastYear(good)).map(goodToJson);
}

async function load(reader: Reader, year: number, id: string | null = null): Promise<Good[]> {
  return await query<Good>(reader, GOODS_SQL, { year, id });
}

/**
 * Adds the regularisation of a year to a change; when repeated, what has changed since.
 * @param percent the year's definitive pro rata
 * @param on its last day
 */
export async function addYearlyRegularisation(
  trx: Db,
  changes: Changes,
  { year, percent, on }: { readonly year: number; readonly percent: Decimal; readonly on: EntryDay },
): Promise<void> {
  const goods = (await load(trx, year)).filter(({ adjustments }) => !adjustments.some(isDisposal));
  const differences = goods.flatMap((good) => {
    const entered = sum(good.adjustments.filter((one) => one.year === year).map(({ amount }) => amount));
    const amount = decimal(yearlyDifference(good, year, percent, good.places))
      .minus(entered)
      .toFixed();
    return decimal(amount).eq(0) ? [] : [{ lineId: good.id, amount }];
  });
  if (differences.length === 0) return;
  const total = sum(differences.map(({ amount }) => amount)).toFixed();
  const description = `Regularización de bienes de inversión ${year}`;
  const entryId = await enter(trx, changes, { on, amount: total, description });
  for (const difference of differences) {
    add(changes, { ...difference, year, date: on.date, reason: 'yearly', percent, entryId });
  }
}

/**
 * Regularises the rest of a good's years when it is sold (LIVA, art. 110).
 * @returns the good afterwards
 * @throws ServiceError not_found; validation_failed (a day before it was bought, tax of a sale without one); invalid_transition when it
 * is sold already, or its years are over; period_closed
 */
export async function disposeOfGood(
  trx: Db,
  ctx: Context,
  id: string,
  {
    date,
    taxed,
    outputTax,
  }: { readonly date: string; readonly taxed: boolean; readonly outputTax?: number | undefined },
) {
  await openYear(trx, ctx, date);
  await lockFiscalYears(trx, ctx);
  const year = Number(date.slice(0, 4));
  const good = await find(trx, id);
  if (good.adjustments.some(isDisposal)) throw refused('It cannot be sold because it is sold already');
  if (date < good.date) throw invalidMember('/date', 'out_of_range', `must not be before it was bought, ${good.date}`);
  if (year > lastYear(good)) throw refused(`It is not regularised any more: its years ended with ${lastYear(good)}`);
  if (taxed !== (outputTax !== undefined)) {
    const message = taxed ? 'must be given: no more than this is deducted' : 'is allowed only for a taxed sale';
    throw invalidMember('/outputTax', taxed ? 'required' : 'not_applicable', message);
  }
  const later = good.adjustments.find((one) => one.year >= year);
  if (later !== undefined) throw refused(`It cannot be sold in ${year} because that year is regularised already`);
  const on = await openDay(trx, ctx, 'general', date, date, '/date');
  const tax = outputTax === undefined ? null : decimal(outputTax).toFixed();
  const amount = disposalDifference(good, year, tax, good.places);
  const changes = new Changes(ctx);
  const description = `Regularización por entrega de bien de inversión · ${good.documentCode}`;
  const entryId = decimal(amount).eq(0) ? null : await enter(trx, changes, { on, amount, description });
  const percent = taxed ? '100' : '0';
  add(changes, { lineId: id, amount, year, date, reason: 'disposal', percent, entryId });
  await changes.write(trx);
  return goodToJson(await find(trx, id));
}

/**
 * Undoes a sale, and reverses its entry on its own day.
 * @throws ServiceError not_found, period_closed
 */
export async function undoDisposal(trx: Db, ctx: Context, id: string): Promise<void> {
  await lockFiscalYears(trx, ctx);
  const disposal = await GoodRegularisation.query(trx).findOne({ line_id: id, reason: 'disposal' });
  if (disposal === undefined) throw notFound('This sale of an investment good');
  const changes = new Changes(ctx);
  changes.delete(GoodRegularisation, disposal);
  if (disposal.entryId !== null) {
    const entry = await loadPosted(trx, { id: disposal.entryId });
    addReversal(changes, entry, await openDay(trx, ctx, 'general', disposal.date, disposal.date));
  }
  await changes.write(trx);
}

async function find(trx: Db, id: string): Promise<Good> {
  const [good] = await load(trx, 9999, id);
  if (good === undefined) throw notFound('This investment good');
  return good;
}

async function enter(
  trx: Db,
  changes: Changes,
  { on, amount, description }: { readonly on: EntryDay; readonly amount: Decimal; readonly description: string },
): Promise<string | null> {
  if (decimal(amount).eq(0)) return null;
  const book = await AccountBook.loadLocked(trx, { roles: ['inputTax', 'taxAdjustmentGain', 'taxAdjustmentLoss'] });
  const other = book.role(decimal(amount).gt(0) ? 'taxAdjustmentGain' : 'taxAdjustmentLoss');
  const lines = book.completed(regularisationLines(amount, { input: book.role('inputTax'), other }));
  return addEntry(changes, { ...on, description, sourceType: 'investment_goods', sourceId: null, lines });
}

function add(changes: Changes, row: Omit<Stored, 'id'> & { readonly lineId: string }): void {
  changes.create(GoodRegularisation, row);
}

function isDisposal({ reason }: Stored): boolean {
  return reason === 'disposal';
}

function goodToJson(good: Good) {
  const { id, documentId, documentCode, description, date, adjustments } = good;
  return {
    id,
    documentId,
    documentCode,
    description,
    date,
    base: toNumber(good.base),
    tax: toNumber(good.tax),
    percent: toNumber(good.percent),
    years: good.years,
    lastYear: lastYear(good),
    soldOn: adjustments.find(isDisposal)?.date ?? null,
    regularisations: adjustments.map(({ year, date: on, reason, percent, amount, entryId }) => ({
      year,
      date: on,
      reason,
      percent: toNumber(percent),
      amount: toNumber(amount),
      entryId,
    })),
  };
}
