/** Resolves references in files: an id, or the code of the record. Codes are looked up for many rows at once. */
import type { Db } from '../../../db/database.ts';
import { isUuid } from '../../../db/ids.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { RESOURCES } from '../master-data/index.ts';
import type { HookScope } from '../resources/declaration.ts';
import type { Columns } from './columns.ts';
import type { PreparedRow } from './prepare.ts';

/** Tables whose rows have codes. */
const CODED = new Set(RESOURCES.filter(({ fields }) => 'code' in fields).map(({ model }) => model.tableName));

/**
 * Replaces codes by ids, and adds a fault to rows with unknown codes.
 * @param own the table of the rows themselves: a code not found there may belong to a row further up, and is left to `resolveOwn`
 */
export async function resolveReferences(
  { trx, ctx }: HookScope,
  columns: Columns,
  rows: readonly PreparedRow[],
  own: string,
): Promise<void> {
  for (const column of columns) {
    if (column?.refersTo === undefined || !CODED.has(column.refersTo)) continue;
    const byCode = rows.filter(({ values }) => isCode(values[column.name]));
    if (byCode.length === 0) continue;
    const ids = await findIdsByCode(trx, ctx.now, column.refersTo, [
      ...new Set(byCode.map(({ values }) => String(values[column.name]))),
    ]);
    for (const row of byCode) {
      const code = String(row.values[column.name]);
      const found = ids.get(code);
      if (found !== undefined) row.values[column.name] = found;
      else if (column.refersTo === own) row.later.push(column.name);
      else row.faults.push(unknownCode(column.header, code));
    }
  }
}

/** Replaces codes of rows above by ids, once those rows are written, and adds a fault for unknown codes. */
export async function resolveOwn(
  { trx, ctx }: HookScope,
  columns: Columns,
  row: PreparedRow,
  own: string,
): Promise<void> {
  for (const name of row.later) {
    const code = String(row.values[name]);
    const found = (await findIdsByCode(trx, ctx.now, own, [code])).get(code);
    const header = columns.find((column) => column?.name === name)?.header ?? name;
    if (found === undefined) row.faults.push(unknownCode(header, code));
    else row.values[name] = found;
  }
}

function isCode(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !isUuid(value);
}

/** Finds ids by code. Of several taxes with the same code it takes the latest one valid today, as for new items. */
async function findIdsByCode(db: Db, now: Date, table: string, codes: readonly string[]): Promise<Map<string, string>> {
  const latest =
    table === 'taxes'
      ? `where code = any(:codes::text[]) and (valid_from is null or valid_from <= ${TODAY}) order by valid_from asc nulls first`
      : `where code = any(:codes::text[])`;
  const rows = await query<{ id: string; code: string }>(db, `select id, code from ${table} ${latest}`, {
    codes,
    now: now.toISOString(),
  });
  return new Map(rows.map(({ id, code }) => [code, id]));
}

function unknownCode(column: string, code: string) {
  return { column, code: 'invalid_reference', message: `no record has the code ${code}` };
}
