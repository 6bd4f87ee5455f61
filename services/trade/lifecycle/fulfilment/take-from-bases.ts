/** Records on base documents how much of them was delivered, invoiced or taken back, and updates their state. */
import type { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { ConcurrentChange } from '../../../../db/errors.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { decimal } from '../../../../domain/money.ts';
import { excessQuantity, type Step, statusByProgress, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { isAllowed } from '../../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES, type DocumentStatus } from '../../../../domain/trade/documents/types.ts';
import { type Commitment, stockKey } from '../../../../domain/trade/stock/levels.ts';
import { documentEvent } from '../../documents/events.ts';
import { loadDocuments } from '../../documents/read.ts';
import { overTakenError } from '../../documents/resolve/base-lines.ts';
import type { DocumentRow, LineRow, LoadedDocument } from '../../documents/stored.ts';
import { changeDocument, changedRow } from '../../documents/write.ts';
import { type OrderLines, orderReleases } from '../goods/stock-effects.ts';
import type { Taken, Takes } from './takes.ts';

/** The column that a step increases. */
const TAKEN = {
  order: 'deliveredQuantity',
  deliver: 'deliveredQuantity',
  invoice: 'invoicedQuantity',
  return: 'returnedQuantity',
  rectify: 'returnedQuantity',
} as const satisfies Record<Step, keyof LineRow>;

/**
 * Adds quantities to base lines and updates their documents' state. Base documents are locked in order of their ids, then read: of two
 * takers, the second sees what the first has taken.
 * @throws ServiceError over_delivery, over_invoicing, invalid_transition (the base was cancelled meanwhile); ConcurrentChange when
 * a base has changed since it was read, so that other commitments would have to be released
 */
export async function takeFromBases(
  trx: Db,
  changes: Changes,
  { step, takes, corrects = null, allowOver, releases = [] }: Takes,
): Promise<void> {
  const baseIds = [...new Set([...takes.map((take) => take.baseId), ...(corrects === null ? [] : [corrects])])].sort();
  if (baseIds.length === 0) return;
  await trx.raw('select id from documents where id = any(?::uuid[]) order by id for update', [baseIds]);
  const bases = await loadDocuments(trx, baseIds);
  if (!sameChanges(releases, freshReleases(bases, takes))) throw new ConcurrentChange();
  const taken = totals(takes);
  const next = bases.map((base) => afterTaking(changes.ctx, base, step, taken));
  const byLine = new Map<string, { base: LoadedDocument; line: LineRow }>();
  for (const base of next) for (const line of base.lines) byLine.set(line.id, { base, line });
  for (const id of taken.keys()) {
    const found = byLine.get(id);
    // A line was removed, or another request returned the same quantity; the retry sees the new state.
    if (!found || decimal(found.line[TAKEN[step]]).lt(0)) throw new ConcurrentChange();
  }
  const corrected = bases.find(({ row }) => row.id === corrects && row.status === DOCUMENT_STATUS.cancelled);
  if (corrected && takes.every(({ quantity }) => decimal(quantity).gte(0))) throw cancelled(corrected.row);
  const statuses = new Map(bases.map(({ row }) => [row.id, row]));
  for (const take of takes) checkTaken(step, take, byLine, statuses, allowOver && !takesBack(step));
  bases.forEach((before, index) => {
    changeBase(changes, before, next[index] as LoadedDocument);
  });
}

/** A base after quantities of its lines are taken, with the resulting state. */
function afterTaking(
  ctx: Context,
  base: LoadedDocument,
  step: Step,
  taken: ReadonlyMap<string, ReturnType<typeof decimal>>,
): LoadedDocument {
  const member = TAKEN[step];
  const lines = base.lines.map((line) => {
    const quantity = taken.get(line.id);
    return quantity === undefined ? line : { ...line, [member]: decimal(line[member]).plus(quantity).toFixed() };
  });
  const status = baseStatus({ ...base, lines });
  const closedAt = status === DOCUMENT_STATUS.closed ? base.row.closedAt : null;
  return { ...base, row: changedRow(ctx, base.row, { status, closedAt }), lines };
}

function changeBase(changes: Changes, before: LoadedDocument, next: LoadedDocument): void {
  const fields = next.row.status === before.row.status ? ['lines'] : ['lines', 'status'];
  const event = documentEvent('document.updated', next.row, { fields, previousStatus: before.row.status });
  changeDocument(changes, before, next, event);
}

function checkTaken(
  step: Step,
  take: Taken,
  byLine: ReadonlyMap<string, { base: LoadedDocument; line: LineRow }>,
  before: ReadonlyMap<string, DocumentRow>,
  allowOver: boolean,
): void {
  if (decimal(take.quantity).lte(0)) return;
  const found = byLine.get(take.baseLineId);
  // The line was removed after it was read; the retry reports the base as the fault.
  if (!found) throw new ConcurrentChange();
  const row = before.get(found.base.row.id) as DocumentRow;
  if (row.status === DOCUMENT_STATUS.cancelled) throw cancelled(row);
  const over = decimal(excessQuantity(step, DOCUMENT_TYPES[row.docType].kind, found.line));
  if (over.gt(0) && !allowOver) {
    const open = decimal(take.quantity).minus(over);
    throw overTakenError(step, take.pointer ?? '', {
      code: row.code,
      lineNumber: found.line.lineNumber,
      open: open.lt(0) ? '0' : open.toFixed(),
    });
  }
  const goesOn = isAllowed(row.docType, row.status, step);
  // Nothing can be taken from a document that was closed manually, even with `allowOver`.
  if (!goesOn && (!allowOver || row.closedAt !== null)) {
    throw overTakenError(step, take.pointer ?? '', { code: row.code, lineNumber: found.line.lineNumber, open: '0' });
  }
}

function cancelled({ code }: DocumentRow): ServiceError {
  return new ServiceError('invalid_transition', `${code} has been cancelled`);
}

/** The state of a base, by its lines. Invoices and returns keep theirs. */
function baseStatus({ row, lines }: LoadedDocument): DocumentStatus {
  const { kind } = DOCUMENT_TYPES[row.docType];
  return kind === 'invoice' || row.returns !== null ? row.status : statusByProgress(kind, lines);
}

/** Recomputes the releases from the locked state of the orders. */
function freshReleases(bases: readonly LoadedDocument[], takes: readonly Taken[]): Commitment[] {
  const orders = bases.map(({ row, lines }): [string, OrderLines] => [row.id, { docType: row.docType, lines }]);
  return orderReleases(takes, new Map(orders));
}

function sameChanges(one: readonly Commitment[], other: readonly Commitment[]): boolean {
  const rest = new Map<string, { reserved: ReturnType<typeof decimal>; incoming: ReturnType<typeof decimal> }>();
  const add = (changes: readonly Commitment[], sign: 1 | -1) => {
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
