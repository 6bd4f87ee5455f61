/** Changes of state: posting, cancelling, deleting. Routes and workflow updates call the same functions. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { TODAY } from '../../db/queries/time-zone.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { decimal } from '../../domain/money.ts';
import type { StockChange } from '../stock/levels.ts';
import { revalueBackdated } from '../stock/revalue.ts';
import { type DocumentEventName, documentEvent } from './events.ts';
import { AUDIT_SQL, auditBindings, EVENT_SQL, goodsBindings, goodsParts, NUMBER_SQL, PERIOD_SQL } from './insert.ts';
import { type ActionOptions, loadFor } from './load-for.ts';
import { type MovedGoods, moveGoods, undoGoods } from './move-goods.ts';
import { type DocumentRow, presentDocument } from './present.ts';
import { takeFromBases } from './progress.ts';
import { type LoadedDocument, loadDocuments } from './read.ts';
import { periodClosed } from './resolve.ts';
import { movingLines, orderChanges, orderReleases } from './stock-effects.ts';

/**
 * Posts a draft invoice: it takes the next number of its series and becomes O; lines without a note move their stock.
 * @param options.onWarning is told when the series' last number stands in a later period already: dates would go backwards
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, insufficient_stock
 */
export async function postInvoice(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly onWarning?: (message: string) => void },
): Promise<Record<string, unknown>> {
  const document = await loadFor(trx, documentId, 'post', options);
  const { row, lines } = document;
  // What its orders had set aside was released when the draft was made.
  const moved = await moveGoods(trx, ctx, row.docType, lines, [], row.date);
  const now = ctx.now.toISOString();
  const next: DocumentRow = { ...row, status: 'O', postedAt: now, updatedAt: now, version: row.version + 1 };
  return write(trx, ctx, document, next, 'document.locked', {
    numbered: true,
    set: `status = 'O', number = numbering.number, code = numbering.code, posted_at = :now::timestamptz`,
    moved,
    onWarning: options.onWarning,
  });
}

/**
 * Cancels a document: an order gives up what it set aside, a note puts its goods back and reopens its order, an invoice
 * reopens its notes.
 * @param options.date day of the movements that undo the document's own; today in the tenant's time zone when left out
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, has_payments, insufficient_stock
 */
export async function cancelDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly date?: string },
): Promise<Record<string, unknown>> {
  const document = await loadFor(trx, documentId, 'cancel', options);
  const { row, lines } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  if (!decimal(row.paidTotal).eq(0))
    throw new ServiceError('has_payments', `Payments are applied to ${row.code}; delete or unlink them first`);
  const undone = kind === 'invoice' && row.status === 'D' ? [] : movingLines(row.docType, lines);
  const date = undone.length > 0 ? await undoDate(trx, ctx, options.date) : row.date;
  const freed = kind === 'order' ? orderChanges(row.docType, lines, true) : [];
  const moved = await giveBack(trx, ctx, document, { freed, undone: undone.length > 0, date });
  const now = ctx.now.toISOString();
  const next: DocumentRow = { ...row, status: 'X', cancelledAt: now, updatedAt: now, version: row.version + 1 };
  return write(trx, ctx, document, next, 'document.cancelled', {
    numbered: false,
    set: `status = 'X', cancelled_at = :now::timestamptz`,
    moved,
    // A posted invoice is undone in an open period; its own may be closed and stays untouched.
    anyPeriod: kind === 'invoice' && row.status === 'O',
  });
}

/** Deletes a draft invoice; its notes are open again. @throws ServiceError not_found, stale_version, invalid_transition, period_closed */
export async function deleteDraft(trx: Db, ctx: Context, documentId: string, options: ActionOptions): Promise<void> {
  const document = await loadFor(trx, documentId, 'delete', options);
  await giveBack(trx, ctx, document, { freed: [], undone: false, date: document.row.date });
  const { row, lines, taxes } = document;
  const rows = await query<unknown>(
    trx,
    `with period as (${PERIOD_SQL}),
     written as (delete from documents where id = :id and version = :version and status = 'D' and exists (select 1 from period) returning number, code),
     audited as (${AUDIT_SQL}), happened as (${EVENT_SQL})
     select * from written`,
    {
      ...auditBindings(
        ctx,
        row,
        'DELETE',
        presentDocument(row, lines, taxes),
        null,
        documentEvent('document.deleted', row),
      ),
      periodId: row.periodId,
      version: row.version,
    },
  );
  if (rows.length === 0) await refuseWrite(trx, row);
}

interface Write {
  readonly numbered: boolean;
  readonly set: string;
  readonly moved: MovedGoods;
  readonly anyPeriod?: boolean;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The number before, where it is dated after this document's period (decision 0067); the index of numbers finds it. */
const LATER_SQL = `(select json_build_object('code', l.code, 'date', l.date)
  from (select code, date from documents where series_id = :seriesId and number < written.number order by number desc limit 1) l
  join periods p on p.id = :periodId where l.date > p."to")`;

/** Head, movements, audit record and event in one statement; the series' number, where one is taken, comes last of all locks. */
async function write(
  trx: Db,
  ctx: Context,
  { row, lines, taxes }: LoadedDocument,
  next: DocumentRow,
  event: DocumentEventName,
  { numbered, set, moved, anyPeriod = false, onWarning }: Write,
): Promise<Record<string, unknown>> {
  const shown = presentDocument(next, lines, taxes);
  const [done] = await query<{ number: number | null; code: string | null; later: Numbered | null }>(
    trx,
    `with period as (${anyPeriod ? 'select id from periods where id = :periodId' : PERIOD_SQL}),
     numbering as (${numbered ? NUMBER_SQL : 'select 1 from period'}),
     written as (
       update documents d set ${set}, version = d.version + 1, updated_at = :now::timestamptz
       from numbering where d.id = :id and d.version = :version returning d.number, d.code
     ),
     ${goodsParts(moved)}
     audited as (${AUDIT_SQL}), happened as (${EVENT_SQL})
     select number, code, ${numbered ? LATER_SQL : 'null'} as later from written`,
    {
      ...auditBindings(
        ctx,
        next,
        'UPDATE',
        presentDocument(row, lines, taxes),
        shown,
        documentEvent(event, next, { fields: ['status'], previousStatus: row.status }),
      ),
      seriesId: row.seriesId,
      periodId: row.periodId,
      version: row.version,
      ...goodsBindings(row.docType, moved),
    },
  );
  if (!done) return refuseWrite(trx, row);
  await revalueBackdated(trx, ctx, moved.costs.backdated, moved.date);
  const { later, ...numbers } = done;
  if (later !== null) onWarning?.(`${numbers.code} is dated ${row.date}, before ${later.code} of ${later.date}`);
  return { ...shown, ...numbers };
}

interface Numbered {
  readonly code: string;
  readonly date: string;
}

/** The statement met no row: the period is closed, or somebody else was faster. */
async function refuseWrite(trx: Db, row: DocumentRow): Promise<never> {
  const period = (await trx('periods').where({ id: row.periodId }).first('code', 'status')) as
    | { code: string; status: string }
    | undefined;
  if (period?.status === 'C') throw periodClosed(period.code);
  throw new ConcurrentChange();
}

/** Returns to the bases what the document had taken from them, together with the goods it had moved. */
async function giveBack(
  trx: Db,
  ctx: Context,
  { row, lines }: LoadedDocument,
  { freed, undone, date }: { readonly freed: readonly StockChange[]; readonly undone: boolean; readonly date: string },
): Promise<MovedGoods> {
  const given = lines.flatMap(({ baseId, baseLineId, quantity }) =>
    baseId === null || baseLineId === null ? [] : [{ baseId, baseLineId, quantity: decimal(quantity).neg().toFixed() }],
  );
  const releases = orderReleases(given, await orderBases(trx, lines));
  const commitments = [...freed, ...releases];
  const moved = undone
    ? await undoGoods(trx, ctx, row.id, commitments, date)
    : await moveGoods(trx, ctx, row.docType, [], commitments, date);
  await takeFromBases(trx, ctx, DOCUMENT_TYPES[row.docType].kind, given, true);
  return moved;
}

/** The orders that lines are based on, with what is open of them; nothing is read where no line names one. */
async function orderBases(
  trx: Db,
  lines: readonly { readonly baseType: string | null; readonly baseId: string | null }[],
) {
  const ids = lines
    .filter((line) => line.baseType === 'SO' || line.baseType === 'PO')
    .flatMap((line) => line.baseId ?? []);
  const bases = ids.length > 0 ? await loadDocuments(trx, [...new Set(ids)]) : [];
  return new Map(bases.map((base) => [base.row.id, { docType: base.row.docType, lines: base.lines }]));
}

/** The day on which a document is undone; it must be in an open period. */
async function undoDate(trx: Db, ctx: Context, date: string | undefined): Promise<string> {
  const [day] = (await query(
    trx,
    `with day as (select coalesce(:date::date, ${TODAY}) as value)
     select day.value as date, p.code, p.status from day left join periods p on day.value between p."from" and p."to"`,
    { date: date ?? null, now: ctx.now.toISOString() },
  )) as [{ date: string; code: string | null; status: string | null }];
  if (day.code === null)
    throw invalidMember(
      '/date',
      'no_period',
      `no accounting period has the date ${day.date}; generate the periods of its year first`,
    );
  if (day.status === 'C') throw periodClosed(day.code);
  return day.date;
}
