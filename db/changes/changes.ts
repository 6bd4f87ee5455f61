/**
 * A change is a value: a use case collects what is to be written, each part in the terms of its own domain, and `write` makes of all of it
 * one statement, with its audit records and events.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import type { Db } from '../database.ts';
import { newId } from '../ids.ts';
import type { DeclaredTable, Row } from '../models/table.ts';
import type { DomainEvent, Entity } from '../trail.ts';
import { Numbering, type NumberSource } from './numbering.ts';
import type { Part } from './statement.ts';
import { AuditLog, Outbox } from './trail.ts';
import { writeParts } from './write.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A row as it was read, and as it is to be. */
export interface Change<Members = object> {
  readonly before: Members;
  readonly after: Members & { readonly id: string };
}

export class Changes {
  readonly #parts = new Map<string, Part>();
  readonly #updates = new Map<DeclaredTable, Map<string, Change>>();
  readonly #held = new Set<string>();
  readonly #afterwards: ((trx: Db) => Promise<void>)[] = [];
  #numbering: Numbering | null = null;

  readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  /** Keeps periods open until the commit; nothing is written when one of them is closed. */
  hold(...periodIds: readonly string[]): this {
    for (const id of periodIds) this.#held.add(id);
    return this;
  }

  /**
   * Takes the next number, after all other locks. What is written may contain it already: `pending` stands for it until then.
   * @throws Error for a second one, since each statement takes one
   */
  takeNumber(source: NumberSource): Numbering {
    if (this.#numbering !== null) throw new Error('one write takes one number');
    this.#numbering = new Numbering(source);
    return this.#numbering;
  }

  /** @param rows all with the same members; they may have more than the table has columns */
  insert<Table extends DeclaredTable>(table: Table, rows: readonly Insertable<Table>[]): this {
    const [first] = rows as readonly Readonly<Record<string, unknown>>[];
    if (first === undefined) return this;
    const members = Object.keys(table.columns).filter((member) => first[member] !== undefined);
    this.#add('insert', table, members, rows);
    return this;
  }

  /**
   * Writes the members that differ. Where rows have versions, each must still be the one that was read.
   * @param rows as they were read, and as they are to be
   * @throws Error when a row is changed twice and the second change does not go on from the first
   */
  update<Table extends DeclaredTable>(table: Table, rows: readonly Change<Partial<Row<Table>>>[]): this {
    const updates = this.#updates.get(table) ?? new Map<string, Change>();
    this.#updates.set(table, updates);
    for (const { before, after } of rows as readonly Change[]) {
      const known = updates.get(after.id);
      if (known !== undefined && known.after !== before) {
        throw new Error(`the row ${after.id} of ${table.tableName} is changed twice`);
      }
      updates.set(after.id, { before: known?.before ?? before, after });
    }
    return this;
  }

  /** Rows as they were read; where they have versions, each must still be the one that was read. */
  remove<Table extends DeclaredTable>(
    table: Table,
    rows: readonly { readonly id: string; readonly version?: number }[],
  ): this {
    const columns = 'version' in table.columns ? ['id', 'version'] : ['id'];
    this.#add('remove', table, columns, rows);
    return this;
  }

  /** The audit record of a change: from what to what; null where there was nothing, or is nothing left. */
  audit({ type, id }: Entity, oldValue: Shown | null, newValue: Shown | null): this {
    const { userId, actor, requestId, now } = this.ctx;
    const action = oldValue === null ? 'CREATE' : newValue === null ? 'DELETE' : 'UPDATE';
    const made = { userId, actor, requestId, createdAt: now.toISOString() };
    return this.insert(AuditLog, [
      { id: newId(), entityType: type, entityId: id, action, oldValue, newValue, ...made },
    ]);
  }

  /** Events about an entity, in their order. */
  emit({ type, id }: Entity, ...events: readonly DomainEvent[]): this {
    const about = { entityType: type, entityId: id, createdAt: this.ctx.now.toISOString() };
    for (const { id: eventId = newId(), name, payload, heldBackMs } of events) {
      // A lease is about the clock of the machines, whatever day it is in the company's books.
      const held = heldBackMs === undefined ? {} : { lockedUntil: new Date(Date.now() + heldBackMs).toISOString() };
      this.insert(Outbox, [{ id: eventId, event: name, payload, ...about, ...held }]);
    }
    return this;
  }

  /** Work that needs the written rows in their place. */
  afterwards(work: (trx: Db) => Promise<void>): this {
    this.#afterwards.push(work);
    return this;
  }

  /**
   * Writes all of it in one round trip; nothing at all where there is nothing to write.
   * @throws ServiceError period_closed; ConcurrentChange when a row is no longer the one that was read
   */
  async write(trx: Db): Promise<void> {
    await writeParts(trx, this.ctx.tenantId, {
      held: [...this.#held],
      numbering: this.#numbering,
      parts: [
        ...[...this.#updates].flatMap(([table, rows]) => updatePart(table, [...rows.values()])),
        ...this.#parts.values(),
      ],
    });
    for (const work of this.#afterwards) await work(trx);
  }

  /** Adds rows to those of the same form, which one part of the statement writes. */
  #add(action: Part['action'], table: DeclaredTable, members: readonly string[], rows: readonly object[]): void {
    if (rows.length === 0) return;
    const key = `${action} ${table.tableName} ${members.join(',')}`;
    const part = this.#parts.get(key);
    if (part === undefined) this.#parts.set(key, { action, table, members, rows: [...rows] });
    else for (const row of rows) part.rows.push(row);
  }
}

/** A row to insert: what the database fills in by itself may be left out. */
export type Insertable<Table extends DeclaredTable> = {
  readonly [Member in keyof Row<Table>]?: Row<Table>[Member];
} & Pick<Row<Table>, 'id' & keyof Row<Table>>;

/** One part for all rows of a table: the members that differ in any of them. */
function updatePart(table: DeclaredTable, rows: readonly Change[]): Part[] {
  const member = (row: object, name: string) => (row as Readonly<Record<string, unknown>>)[name];
  const differs = (one: unknown, other: unknown) => one !== other && !isDeepStrictEqual(one, other);
  const differing = Object.keys(table.columns).filter((name) =>
    rows.some(({ before, after }) => differs(member(before, name), member(after, name))),
  );
  if (differing.length === 0) return [];
  const lacking = differing.find((name) => rows.some(({ after }) => member(after, name) === undefined));
  if (lacking !== undefined) throw new Error(`a row of ${table.tableName} lacks ${lacking}`);
  const members = ['id', ...differing];
  return [{ action: 'update', table, members, rows: rows.map(({ after }) => after) }];
}
