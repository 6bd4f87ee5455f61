/** Runs the statement that writes changes. */

import { assertOpenFor, locksAgainst } from '../../domain/ledger/periods/areas.ts';
import { isWork } from '../../domain/platform/internal-events.ts';
import { asSystem } from '../as-system.ts';
import type { Db } from '../database.ts';
import { ConcurrentChange } from '../errors.ts';
import { fromRow, type JsonRow, type TenantModel, type TenantModelClass } from '../models/base.ts';
import { Period } from '../models/records/master-data.ts';
import { noteEvents, preparedAs } from '../sql.ts';
import type { Bindings } from '../statements.ts';
import type { HeldPeriod } from './description.ts';
import type { Numbering } from './numbering.ts';
import { formKey, type Part, type PartForm, statementSql } from './statement.ts';
import { Outbox } from './trail.ts';

export interface Written {
  /** Periods that must stay open until the commit, with areas that must not be locked in them. */
  readonly held: readonly HeldPeriod[];
  readonly numbering: Numbering | null;
  readonly parts: readonly Part[];
  /** Unique constraints whose violation is a lost race. */
  readonly contested: readonly string[];
}

interface Done {
  /** Number of the periods that were open. */
  readonly held: number;
  /** Number of rows written by each part. */
  readonly written: readonly number[];
  readonly number: number | null;
  readonly code: string | null;
}

/**
 * Writes rows that belong to no company first, as the system role, then all rows of the company in one statement.
 * @param returned the model whose rows are returned as inserted or changed
 * @throws ServiceError period_closed, period_locked; ConcurrentChange
 */
export async function writeParts<M extends TenantModel>(
  trx: Db,
  scope: { readonly tenantId: string },
  changes: Written,
  returned?: TenantModelClass<M>,
): Promise<M[]> {
  const global = changes.parts.filter(({ table }) => table.isGlobal);
  if (global.length === 0) return await writeStatement(trx, scope.tenantId, changes, returned);
  const own = { ...changes, parts: changes.parts.filter((part) => !global.includes(part)) };
  const rows = await asSystem(trx, scope, () =>
    writeStatement(trx, scope.tenantId, { ...changes, held: [], numbering: null, parts: global }, returned),
  );
  return [...rows, ...(await writeStatement(trx, scope.tenantId, own, returned))];
}

async function writeStatement<M extends TenantModel>(
  trx: Db,
  tenant: string,
  { held, numbering, parts, contested }: Written,
  model?: TenantModelClass<M>,
): Promise<M[]> {
  if (parts.length === 0) return [];
  const bindings: Record<string, Bindings[string]> = { tenant, ...heldBindings(held), ...numbering?.bindings };
  const forms = parts.map(({ rows, ...form }, index): PartForm => {
    const text = JSON.stringify(rows);
    bindings[`rows${index}`] = text;
    const numbered = numbering?.isIn(text) === true;
    if (form.action === 'insert') return { ...form, numbered, single: false };
    bindings[`count${index}`] = rows.length;
    const [row] = rows;
    if (row === undefined || rows.length > 1) {
      bindings[`ids${index}`] = rows.map(({ id }) => id as string);
      return { ...form, numbered, single: false };
    }
    bindings[`id${index}`] = row.id as string;
    bindings[`version${index}`] = (row.version ?? null) as number | null;
    return { ...form, numbered, single: true };
  });
  const returned = parts.findIndex(({ action, table }) => table === model && action !== 'remove');
  const form = [
    numbering?.form ?? '',
    held.length > 0,
    returned,
    ...forms.map((part) => `${formKey(part)} ${part.numbered ? 'numbered' : ''} ${part.single ? 'single' : ''}`),
  ];
  const rows = await preparedAs<JsonRow & { readonly _done: Done }>(trx, bindings, {
    form: form.join('\n'),
    make: () => statementSql({ parts: forms, holds: held.length > 0, numbering: numbering?.sql ?? null, returned }),
    contested,
  });
  const done = rows[0]?._done;
  if (done?.held !== held.length) return throwNotOpen(trx, held);
  if (parts.some((part, index) => !isWhole(part, done.written[index]))) throw new ConcurrentChange();
  const events = parts.flatMap(({ table, rows }, index) => (table === Outbox && done.written[index] !== 0 ? rows : []));
  if (events.length > 0)
    await noteEvents(
      trx,
      events.some(({ event }) => isWork(event as string)),
    );
  if (done.number !== null && done.code !== null) numbering?.take({ number: done.number, code: done.code });
  if (model === undefined || !done.written[returned]) return [];
  return rows.map(({ _done, ...row }) => fromRow(model, row));
}

/** Whether all required rows were written. */
function isWhole({ rows, missingBy, madeIn, forRules }: Part, written: number | undefined): boolean {
  return missingBy !== undefined || madeIn !== undefined || forRules === true || rows.length === written;
}

/** The ids of the periods, and a pair of period and lock for each lock that refuses something. */
function heldBindings(held: readonly HeldPeriod[]): Record<'held' | 'refused' | 'locks', string[]> {
  const pairs = held.flatMap(({ id, areas }) =>
    [...new Set(areas.flatMap(locksAgainst))].map((lock) => ({ id, lock })),
  );
  return { held: held.map(({ id }) => id), refused: pairs.map(({ id }) => id), locks: pairs.map(({ lock }) => lock) };
}

/** @throws ServiceError period_closed, period_locked, naming the first such period; ConcurrentChange if one has been deleted */
async function throwNotOpen(trx: Db, held: readonly HeldPeriod[]): Promise<never> {
  const areas = new Map(held.map((period) => [period.id, period.areas]));
  const periods = await Period.query(trx)
    .whereIn('id', [...areas.keys()])
    .orderBy('from');
  for (const period of periods) for (const area of areas.get(period.id) ?? []) assertOpenFor(period, area);
  throw new ConcurrentChange();
}
