/** Writes a change of a document's state: head, movements, audit record and event in one statement. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { prepared } from '../../db/sql.ts';
import type { DomainEvent } from '../../db/trail.ts';
import {
  type EntryToWrite,
  entryBindings,
  entryParts,
  reversalBindings,
  reversalParts,
} from '../accounting/write-entry.ts';
import { revalueBackdated } from '../stock/revalue.ts';
import { answerOf } from './answer.ts';
import { AUDIT_SQL, auditBindings, EVENT_SQL, goodsBindings, goodsParts, NUMBER_SQL, PERIOD_SQL } from './insert.ts';
import type { MovedGoods } from './move-goods.ts';
import { presentDocument, presentHeader } from './present.ts';
import { periodClosed } from './resolve.ts';
import type { DocumentRow, LoadedDocument } from './stored.ts';
import { LATER_SQL, type LaterNumber } from './warnings.ts';

interface StateChange {
  /** What the `update` sets besides version and time of change; `numbering` is there where a number is taken. */
  readonly set: string;
  readonly event: DomainEvent;
  /** Takes the next number of the series, as the last of all locks. */
  readonly numbered?: boolean;
  readonly moved?: MovedGoods;
  /** Also where the document's own period is closed. */
  readonly anyPeriod?: boolean;
  /** What it enters in the ledger. */
  readonly entry?: EntryToWrite;
  /** When the document's entry is reversed: then that day's period must be open, not the document's own. */
  readonly reversedOn?: { readonly date: string; readonly periodId: string };
  /** Is told of the number before, where that is dated later. */
  readonly onLater?: (later: LaterNumber, code: string | null) => void;
  /** What `set` names. */
  readonly bindings?: Readonly<Record<string, string | null>>;
  /** A further part of the statement. */
  readonly beside?: string;
}

/** The batches that were picked for lines. */
const BATCHES_SQL = `update document_lines l set batch_details = n."batchDetails"
  from json_to_recordset(:batches::json) as n(id uuid, "batchDetails" jsonb) where l.id = n.id and exists (select 1 from written)`;

/** Of what nothing changes that is printed: the PDF that was made before is still the document's. */
export const KEEP_PAPER = `update files set entity_version = entity_version + 1
  where kind = 'document_pdf' and entity_id = :id and entity_version = :version and exists (select 1 from written)`;

/**
 * @param document as it was loaded: nothing is written when it has changed since
 * @param next as it is afterwards, but for its number
 * @returns the document as its GET returns it
 * @throws ServiceError period_closed; ConcurrentChange
 */
export async function writeState(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  next: LoadedDocument,
  { set, event, numbered = false, moved, anyPeriod = false, entry, reversedOn, onLater, bindings, beside }: StateChange,
): Promise<Record<string, unknown>> {
  const { row, lines, taxes } = document;
  const before = presentDocument(row, lines, taxes);
  // Most changes are to the head alone.
  const isHead = next.lines === lines && next.taxes === taxes;
  const shown = isHead
    ? { ...presentHeader(next.row), lines: before.lines, taxes: before.taxes }
    : presentDocument(next.row, next.lines, next.taxes);
  const batched = next.lines.filter(({ batchDetails }, index) => batchDetails !== lines[index]?.batchDetails);
  const periodId = reversedOn?.periodId ?? row.periodId;
  const [done] = await prepared<{ number: number | null; code: string | null; later: LaterNumber | null }>(
    trx,
    `with period as (${anyPeriod ? 'select id from periods where id = :periodId' : PERIOD_SQL}),
     numbering as (${numbered ? NUMBER_SQL : 'select 1 from period'}),
     written as (
       update documents d set ${set}, version = d.version + 1, updated_at = :now::timestamptz
       from numbering where d.id = :id and d.version = :version returning d.number, d.code
     ),
     ${entry ? `${entryParts(`' ' || written.code`, 'from written')},` : ''}
     ${reversedOn ? `${reversalParts('e.source_id = :id and exists (select from written)')},` : ''}
     ${batched.length > 0 ? `batched as (${BATCHES_SQL}),` : ''}
     ${moved ? goodsParts(moved) : ''} ${beside === undefined ? '' : `beside as (${beside}),`}
     audited as (${AUDIT_SQL}), happened as (${EVENT_SQL})
     select number, code, ${numbered ? LATER_SQL : 'null'} as later from written`,
    {
      ...auditBindings(ctx, next.row, 'UPDATE', before, shown, event),
      ...bindings,
      seriesId: row.seriesId,
      ownDate: row.date,
      periodId,
      version: row.version,
      ...(entry ? entryBindings(entry) : {}),
      ...(reversedOn ? reversalBindings(reversedOn) : {}),
      ...(moved ? goodsBindings(row.docType, moved) : {}),
      ...(batched.length > 0
        ? { batches: JSON.stringify(batched.map(({ id, batchDetails }) => ({ id, batchDetails }))) }
        : {}),
    },
  );
  if (!done) return refuseWrite(trx, { periodId });
  if (moved) await revalueBackdated(trx, ctx, moved.costs.backdated, moved.date);
  const { later, ...numbers } = done;
  if (later !== null) onLater?.(later, numbers.code);
  return { ...answerOf(next, shown), ...numbers };
}

/** The head after a change. */
export function changedRow(ctx: Context, row: DocumentRow, changes: Partial<DocumentRow>): DocumentRow {
  return { ...row, ...changes, updatedAt: ctx.now.toISOString(), version: row.version + 1 };
}

/** The statement met no row: the period is closed, or somebody else was faster. */
export async function refuseWrite(trx: Db, row: Pick<DocumentRow, 'periodId'>): Promise<never> {
  const period = (await trx('periods').where({ id: row.periodId }).first('code', 'status')) as
    | { code: string; status: string }
    | undefined;
  if (period?.status === 'C') throw periodClosed(period.code);
  throw new ConcurrentChange();
}
