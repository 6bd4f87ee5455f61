/** Ignores lines, or reopens them: payments remain, and entries made for them are reversed. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankLinePayment, BankStatementLine, type LineStatus } from '../../../db/models/bank/statements.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { patchRow } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { prefixPointers } from '../../platform/validation/refusals.ts';
import { reverseManualEntry } from '../manual-entries/undo.ts';
import { LINE_AREA, LINE_SOURCE } from './ledger-lines.ts';

type Shown = Record<string, unknown>;

/**
 * Ignores open lines, or reopens others; all or none.
 * @param date of the reversal of entries made for lines; defaults to the date of each entry
 * @throws ServiceError validation_failed for a missing line, invalid_transition for ignoring a matched line,
 * period_closed, in_use (another line is explained by the same entry)
 */
export async function setLineStatus(
  trx: Db,
  ctx: Context,
  ids: readonly string[],
  status: Extract<LineStatus, 'open' | 'ignored'>,
  date?: string,
): Promise<Shown[]> {
  const rows = await BankStatementLine.query(trx)
    .whereIn('id', [...ids])
    .orderBy('id')
    .forUpdate();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const own = await findEntriesMadeFor(trx, rows);
  const changed: Shown[] = [];
  for (const [index, id] of ids.entries()) {
    const at = `/line_ids/${index}`;
    const row = byId.get(id.toLowerCase());
    if (row === undefined) throw invalidMember(at, 'invalid_reference', 'refers to a line that does not exist');
    if (row.status === 'matched' && status === 'ignored') {
      throw new ServiceError(
        'invalid_transition',
        'A matched line cannot be ignored because it is accepted; reopen it first',
        {
          errors: [{ pointer: at, code: 'matched', message: 'is matched' }],
        },
      );
    }
    const next = await patchRow(trx, ctx, BankStatementLine, row, { status, entryId: null, ruleId: null });
    const entry = own.get(row.entryId ?? '');
    if (entry !== undefined) await reverse(trx, ctx, entry, { date, at });
    changed.push(BankStatementLine.toJson({ ...next, paymentIds: [] }));
  }
  const changes = new Changes(ctx);
  const lineIds = rows.map(({ id }) => id);
  for (const link of await BankLinePayment.query(trx).whereIn('line_id', lineIds))
    changes.delete(BankLinePayment, link);
  await changes.write(trx);
  return changed;
}

/** Finds entries made for lines, by their ids; entries that existed before are not included. */
async function findEntriesMadeFor(trx: Db, lines: readonly BankStatementLine[]): Promise<Map<string, JournalEntry>> {
  const ids = lines.flatMap(({ entryId }) => entryId ?? []);
  if (ids.length === 0) return new Map();
  const entries = await JournalEntry.query(trx).whereIn('id', ids).orderBy('id').forUpdate();
  const lineIds = new Set(lines.map(({ id }) => id));
  const made = entries.filter(({ sourceType, sourceId }) => sourceType === LINE_SOURCE && lineIds.has(sourceId ?? ''));
  return new Map(made.map((entry) => [entry.id, entry]));
}

async function reverse(
  trx: Db,
  ctx: Context,
  entry: JournalEntry,
  { date, at }: { readonly date: string | undefined; readonly at: string },
): Promise<void> {
  const other = await BankStatementLine.query(trx).findOne({ entry_id: entry.id });
  if (other !== undefined) {
    const message = `also belongs to the line ${other.id}; reopen that one first`;
    throw new ServiceError('in_use', `The entry ${message}`, { errors: [{ pointer: at, code: 'in_use', message }] });
  }
  const on = await openDay(trx, ctx, LINE_AREA, date ?? entry.date, entry.date).catch((error: unknown) => {
    const placeless = error instanceof ServiceError && error.errors.length === 0;
    throw placeless ? prefixPointers(error, '', at) : error;
  });
  await reverseManualEntry(trx, ctx, entry.id, on);
}
