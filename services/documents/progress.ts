/** Writing back to base documents how much of them was delivered, invoiced or taken back, and the state that follows from it. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { auditStatement, eventStatement } from '../../db/trail.ts';
import { overTakenQuantity, type Step, statusByProgress, takesBack } from '../../domain/documents/progress.ts';
import { isAllowed } from '../../domain/documents/transitions.ts';
import { DOCUMENT_TYPES, type DocumentStatus } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { decimal } from '../../domain/money.ts';
import { type StockChange, stockKey } from '../stock/levels.ts';
import { overTaken } from './base-lines.ts';
import { documentEvent } from './events.ts';
import { presentDocument } from './present.ts';
import { loadDocuments } from './read.ts';
import { type OrderLines, orderReleases } from './stock-effects.ts';
import type { DocumentRow, LineRow, LoadedDocument } from './stored.ts';
import type { Taken, Takes } from './takes.ts';

const COLUMNS = {
  deliver: { column: 'delivered_quantity', member: 'deliveredQuantity' },
  invoice: { column: 'invoiced_quantity', member: 'invoicedQuantity' },
  return: { column: 'returned_quantity', member: 'returnedQuantity' },
  rectify: { column: 'returned_quantity', member: 'returnedQuantity' },
} as const satisfies Record<Step, object>;

/**
 * Books quantities on base lines and brings their documents' state in line. The base documents are locked in the order of
 * their ids, then read afresh: what two takers want together is seen by the second.
 * @throws ServiceError over_delivery, over_invoicing, invalid_transition (the base was cancelled meanwhile); ConcurrentChange when
 *   a base has changed since it was read, so that other commitments would have to be released
 */
export async function takeFromBases(
  trx: Db,
  ctx: Context,
  { step, takes, corrects = null, allowOver, releases = [] }: Takes,
): Promise<void> {
  const baseIds = [...new Set([...takes.map((take) => take.baseId), ...(corrects === null ? [] : [corrects])])].sort();
  if (baseIds.length === 0) return;
  const { column } = COLUMNS[step];
  await trx.raw('select id from documents where id = any(?::uuid[]) order by id for update', [baseIds]);
  const booked: { rowCount: number } = await trx.raw(
    `update document_lines l set ${column} = l.${column} + taken.quantity
     from (select "baseLineId" as id, sum(quantity) as quantity
           from json_to_recordset(?::json) as t("baseLineId" uuid, quantity numeric) group by 1) as taken
     where l.id = taken.id and l.${column} + taken.quantity >= 0`,
    [JSON.stringify(takes)],
  );
  // A line has gone, or another request has given back the same: read again, the state of the document says so.
  if (booked.rowCount < new Set(takes.map((take) => take.baseLineId)).size) throw new ConcurrentChange();
  const bases = await loadDocuments(trx, baseIds);
  if (!sameChanges(releases, freshReleases(step, bases, takes))) throw new ConcurrentChange();
  const byLine = new Map<string, { base: LoadedDocument; line: LineRow }>();
  for (const base of bases) for (const line of base.lines) byLine.set(line.id, { base, line });
  const corrected = bases.find(({ row }) => row.id === corrects && row.status === 'X');
  if (corrected && takes.every(({ quantity }) => decimal(quantity).gte(0))) throw cancelled(corrected.row);
  for (const take of takes) checkTaken(step, take, byLine, allowOver && !takesBack(step));
  await writeBases(trx, ctx, step, bases, takes);
}

function checkTaken(
  step: Step,
  take: Taken,
  byLine: ReadonlyMap<string, { base: LoadedDocument; line: LineRow }>,
  allowOver: boolean,
): void {
  if (decimal(take.quantity).lte(0)) return;
  const found = byLine.get(take.baseLineId);
  // It went away since it was read: read again, the line's base is at fault.
  if (!found) throw new ConcurrentChange();
  const { row } = found.base;
  if (row.status === 'X') throw cancelled(row);
  const over = decimal(overTakenQuantity(step, DOCUMENT_TYPES[row.docType].kind, found.line));
  if (over.gt(0) && !allowOver) {
    const open = decimal(take.quantity).minus(over);
    throw overTaken(step, take.pointer ?? '', {
      code: row.code,
      lineNumber: found.line.lineNumber,
      open: open.lt(0) ? '0' : open.toFixed(),
    });
  }
  const goesOn = isAllowed(row.docType, row.status, step);
  // What was closed by hand takes nothing more, whatever is allowed.
  if (!goesOn && (!allowOver || row.closedAt !== null)) {
    throw overTaken(step, take.pointer ?? '', { code: row.code, lineNumber: found.line.lineNumber, open: '0' });
  }
}

function cancelled({ code }: DocumentRow): ServiceError {
  return new ServiceError('invalid_transition', `${code} has been cancelled`);
}

/** The state of a base by its lines; an invoice keeps its own, and so does a return, which nothing follows. */
function statusOf({ row, lines }: LoadedDocument): DocumentStatus {
  const { kind } = DOCUMENT_TYPES[row.docType];
  return kind === 'invoice' || row.returns !== null ? row.status : statusByProgress(kind, lines);
}

/** What has to be released of the orders' commitments, by what is locked now. */
function freshReleases(step: Step, bases: readonly LoadedDocument[], takes: readonly Taken[]): StockChange[] {
  const taken = totals(takes);
  const before = bases.map(({ row, lines }): [string, OrderLines] => [
    row.id,
    { docType: row.docType, lines: lines.map((line) => lineBefore(line, step, taken.get(line.id))) },
  ]);
  return orderReleases(takes, new Map(before));
}

function sameChanges(one: readonly StockChange[], other: readonly StockChange[]): boolean {
  const rest = new Map<string, { reserved: ReturnType<typeof decimal>; incoming: ReturnType<typeof decimal> }>();
  const add = (changes: readonly StockChange[], sign: 1 | -1) => {
    for (const change of changes) {
      const known = rest.get(stockKey(change)) ?? { reserved: decimal(0), incoming: decimal(0) };
      rest.set(stockKey(change), {
        reserved: known.reserved.plus(decimal(change.reserved).times(sign)),
        incoming: known.incoming.plus(decimal(change.incoming).times(sign)),
      });
    }
  };
  add(one, 1);
  add(other, -1);
  return [...rest.values()].every(({ reserved, incoming }) => reserved.eq(0) && incoming.eq(0));
}

function totals(takes: readonly Taken[]): Map<string, ReturnType<typeof decimal>> {
  const taken = new Map<string, ReturnType<typeof decimal>>();
  for (const take of takes) taken.set(take.baseLineId, (taken.get(take.baseLineId) ?? decimal(0)).plus(take.quantity));
  return taken;
}

/** Raises versions, sets states, and leaves an audit record and an event for each base; one statement for all. */
async function writeBases(
  trx: Db,
  ctx: Context,
  step: Step,
  bases: readonly LoadedDocument[],
  takes: readonly Taken[],
): Promise<void> {
  const taken = totals(takes);
  const now = ctx.now.toISOString();
  const changed = bases.map((base) => {
    const status = statusOf(base);
    const closedAt = status === 'C' ? base.row.closedAt : null;
    const next = { ...base, row: { ...base.row, status, closedAt, version: base.row.version + 1, updatedAt: now } };
    const before = { ...base, lines: base.lines.map((line) => lineBefore(line, step, taken.get(line.id))) };
    return { before, next };
  });
  const parts: string[] = [
    `updated as (update documents d set status = n.status, closed_at = case when n.status = 'C' then d.closed_at end, version = d.version + 1, updated_at = ?::timestamptz
       from json_to_recordset(?::json) as n(id uuid, status text) where d.id = n.id)`,
  ];
  const bindings: unknown[] = [
    now,
    JSON.stringify(changed.map(({ next }) => ({ id: next.row.id, status: next.row.status }))),
  ];
  changed.forEach(({ before, next }, index) => {
    const entity = { type: DOCUMENT_TYPES[next.row.docType].entityType, id: next.row.id };
    const audit = auditStatement(ctx, entity, 'UPDATE', present(before), present(next));
    const fields = next.row.status === before.row.status ? ['lines'] : ['lines', 'status'];
    const event = eventStatement(
      ctx,
      entity,
      documentEvent('document.updated', next.row, { fields, previousStatus: before.row.status }),
    );
    parts.push(`audit_${index} as (${audit.sql})`, `event_${index} as (${event.sql})`);
    bindings.push(...audit.bindings, ...event.bindings);
  });
  await trx.raw(`with ${parts.join(', ')} select 1`, bindings as never);
}

function lineBefore(line: LineRow, step: Step, taken: ReturnType<typeof decimal> | undefined): LineRow {
  if (!taken) return line;
  const { member } = COLUMNS[step];
  return { ...line, [member]: decimal(line[member]).minus(taken).toFixed() };
}

function present({ row, lines, taxes }: LoadedDocument): Record<string, unknown> {
  return presentDocument(row, lines, taxes);
}
