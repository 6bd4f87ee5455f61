/** Runs the one statement that writes changes. */
import { periodClosed } from '../../domain/errors.ts';
import type { Db } from '../database.ts';
import { ConcurrentChange } from '../errors.ts';
import { columnName } from '../models/columns.ts';
import { preparedAs } from '../sql.ts';
import type { Bindings } from '../statements.ts';
import type { Numbering } from './numbering.ts';
import { formOf, type Part, type PartForm, statementSql } from './statement.ts';
import { Outbox } from './trail.ts';

interface Written {
  readonly held: number;
  /** How many rows each part has written. */
  readonly written: readonly number[];
  readonly number: number | null;
  readonly code: string | null;
}

/**
 * @param changes.held ids of periods that must stay open until the commit
 * @throws ServiceError period_closed; ConcurrentChange
 */
export async function writeParts(
  trx: Db,
  tenant: string,
  { held, numbering, parts }: { held: readonly string[]; numbering: Numbering | null; parts: readonly Part[] },
): Promise<void> {
  if (parts.length === 0) return;
  const bindings: Record<string, Bindings[string]> = { tenant, held, ...numbering?.bindings };
  const forms = parts.map((part, index): PartForm => {
    const rows = rowsOf(part);
    bindings[`rows${index}`] = rows;
    if (part.action !== 'insert') bindings[`count${index}`] = part.rows.length;
    const { action, table, members } = part;
    return { action, table, members, numbered: numbering?.isIn(rows) === true };
  });
  const form = [numbering?.form ?? '', ...forms.map(formOf)].join('\n');
  const [done] = await preparedAs<Written>(trx, form, bindings, {
    sql: () => statementSql(forms, numbering?.sql ?? null),
    writesEvents: parts.some(({ table }) => table === Outbox),
  });
  if (done?.held !== held.length) return refuseClosed(trx, held);
  if (parts.some(({ rows }, index) => rows.length !== done.written[index])) throw new ConcurrentChange();
  if (done.number !== null && done.code !== null) numbering?.take({ number: done.number, code: done.code });
}

/** The rows as JSON with the names of the columns. */
function rowsOf({ members, rows }: Part): string {
  const columns = members.map((member): [string, string] => [member, columnName(member)]);
  return JSON.stringify(
    (rows as Record<string, unknown>[]).map((row) => {
      const written: Record<string, unknown> = {};
      for (const [member, column] of columns) written[column] = row[member];
      return written;
    }),
  );
}

/** @throws ServiceError period_closed naming the first that is closed; ConcurrentChange where one has gone */
async function refuseClosed(trx: Db, periodIds: readonly string[]): Promise<never> {
  const closed = (await trx('periods')
    .whereIn('id', [...periodIds])
    .where({ status: 'C' })
    .orderBy('from')
    .first('code')) as { code: string } | undefined;
  if (closed !== undefined) throw periodClosed(closed.code);
  throw new ConcurrentChange();
}
