/**
 * A change is a value: a use case collects what to write, each part in the terms of its domain, and `write` makes it one statement, with
 * audit records and events.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Area } from '../../domain/ledger/periods/areas.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database.ts';
import { newId } from '../ids.ts';
import { scopedConnection } from '../lazy-knex.ts';
import type { TenantModel, TenantModelClass } from '../models/base.ts';
import type { DeclaredTable, Row } from '../models/table.ts';
import { currentTrace } from '../trace.ts';
import { describeParts } from './describe.ts';
import type { ChangeDescription, HeldPeriod, NumberSource } from './description.ts';
import { type FollowUp, type Step, stepOn } from './follow-up.ts';
import { Numbering } from './numbering.ts';
import { type Change, Parts } from './parts.ts';
import { AuditLog, type DomainEvent, type Entity, Outbox, type Shown } from './trail.ts';
import { writeParts } from './write.ts';

/** Members of a row, in camelCase; undefined ones count as absent. */
type Values<M> = Partial<M> & Record<string, unknown>;

export class Changes {
  readonly #parts = new Parts();
  readonly #held = new Map<string, Set<Area>>();
  readonly #contested = new Set<string>();
  readonly #steps: Step[] = [];
  #numbering: Numbering | null = null;

  readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  /** Keeps periods open for an area until the commit; nothing is written if one of them is closed or locked for it. */
  hold(area: Area, ...periodIds: readonly string[]): this {
    for (const id of periodIds) this.#held.set(id, (this.#held.get(id) ?? new Set()).add(area));
    return this;
  }

  /**
   * Takes the next number, after all other locks. Rows may already contain its placeholder `pending`, which the write replaces.
   * @throws Error for a second number, since a statement can take only one
   */
  takeNumber(source: NumberSource): Numbering {
    if (this.#numbering !== null) throw new Error('one write takes one number');
    this.#numbering = new Numbering(source);
    return this.#numbering;
  }

  /**
   * Inserts a row with its audit record and events, completed with id, version and times.
   * @param values may contain a version that continues another row's
   * @returns the row, without columns that the database fills in
   */
  create<M extends TenantModel>(model: TenantModelClass<M>, values: Values<M>, events: Events<M> = []): M {
    const row = this.#complete(model, values);
    this.#parts.insert(model, [row]);
    const entity = { type: model.entityType, id: row.id };
    this.audit(entity, null, model.toAudit(row)).emit(entity, ...(typeof events === 'function' ? events(row) : events));
    return row;
  }

  /**
   * Inserts rows whose `key` does not exist yet, each with its audit record; existing rows stay as they are. Concurrent calls that would
   * insert the same row wait for each other.
   * @param rows all with the same members
   * @param key members of a unique constraint, besides the tenant
   */
  createMissing<M extends TenantModel>(
    model: TenantModelClass<M>,
    rows: readonly Values<M>[],
    key: readonly (keyof M & string)[],
  ): this {
    const complete = rows.map((row) => this.#complete(model, row));
    this.#parts.insert(model, complete, { missingBy: key });
    const audits = complete.map((row) =>
      this.#auditRecord({ type: model.entityType, id: row.id }, null, model.toAudit(row)),
    );
    this.#parts.insert(AuditLog, audits, { madeIn: model });
    return this;
  }

  /**
   * Updates a row that was read, with its audit record and events. Equal values are left out; nothing is written if nothing changes.
   * @param note members of the audit record that are not in the row (never a secret itself)
   * @returns the row after the change, its version raised by one
   */
  change<M extends TenantModel>(
    model: TenantModelClass<M>,
    current: M,
    values: Values<M>,
    { events = [], note = {} }: { readonly events?: Events<M>; readonly note?: Shown } = {},
  ): M {
    const before = current as M & Record<string, unknown>;
    const changed = Object.entries(values).filter(
      ([member, value]) => value !== undefined && !isDeepStrictEqual(value, before[member]),
    );
    if (changed.length === 0 && Object.keys(note).length === 0) return current;
    const updatedAt = this.ctx.now.toISOString();
    const after = { ...before, ...Object.fromEntries(changed), version: current.version + 1, updatedAt };
    this.#parts.update(model, [{ before, after }]);
    const entity = { type: model.entityType, id: current.id };
    this.audit(entity, model.toAudit(before), { ...model.toAudit(after), ...note });
    this.emit(entity, ...(typeof events === 'function' ? events(after) : events));
    return after;
  }

  /** Deletes a row that was read, with its audit record and events. */
  delete<M extends TenantModel>(model: TenantModelClass<M>, current: M, events: readonly DomainEvent[] = []): this {
    const entity = { type: model.entityType, id: current.id };
    this.#parts.remove(model, [current]);
    return this.audit(entity, model.toAudit(current), null).emit(entity, ...events);
  }

  /** @param rows all with the same members; they may have more than the table has columns */
  insert<Table extends DeclaredTable>(table: Table, rows: readonly Insertable<Table>[]): this {
    this.#parts.insert(table, rows);
    return this;
  }

  /**
   * Writes the members that differ. Rows with versions must still be the ones that were read.
   * @param rows as they were read, and as they should be
   * @throws Error when a row is changed twice and the second change does not continue the first
   */
  update<Table extends DeclaredTable>(table: Table, rows: readonly Change<Partial<Row<Table>>>[]): this {
    this.#parts.update(table, rows as readonly Change[]);
    return this;
  }

  /** Rows as they were read; those with versions must still be the ones that were read. */
  remove(table: DeclaredTable, rows: readonly { readonly id: string; readonly version?: number }[]): this {
    this.#parts.remove(table, rows);
    return this;
  }

  /** Adds the audit record of a change; `oldValue` is null for a creation, `newValue` for a deletion. */
  audit(entity: Entity, oldValue: Shown | null, newValue: Shown | null): this {
    return this.insert(AuditLog, [this.#auditRecord(entity, oldValue, newValue)]);
  }

  /** Adds events about an entity, in order. */
  emit({ type, id }: Entity, ...events: readonly DomainEvent[]): this {
    const now = this.ctx.now.toISOString();
    const { userId, depth, quiet } = this.ctx;
    const trace = currentTrace();
    const about = {
      ...{ entityType: type, entityId: id, createdAt: now, userId },
      ...(depth === undefined ? {} : { depth }),
      ...(quiet === undefined ? {} : { toldAt: now }),
      ...(trace === undefined ? {} : { trace }),
    };
    for (const { id: eventId = newId(), name, payload, heldBackMs, only, forRules } of events) {
      // Leases use the machine's clock, not the date in the company's books.
      const held = heldBackMs === undefined ? {} : { lockedUntil: new Date(Date.now() + heldBackMs).toISOString() };
      const handedOver = only === undefined ? {} : { processedAt: now, test: only === 'sample' };
      const row = { id: eventId, event: name, payload, ...about, ...held, ...handedOver };
      this.#parts.insert(Outbox, [row], forRules === true ? { forRules } : {});
    }
    return this;
  }

  /**
   * Has the transaction repeated if somebody else inserts a row with the same key first.
   * @param constraint name of the unique constraint
   */
  repeatIfTaken(constraint: string): this {
    this.#contested.add(constraint);
    return this;
  }

  /** Adds a step that runs after the rows are written, in the order in which steps are added. */
  follow<Input extends object>(step: FollowUp<Input>, input: Input): this {
    this.#steps.push(stepOn(step, input));
    return this;
  }

  /** Describes what will be written, before or after it is: rows as they are collected now, with placeholders for a number. */
  describe(): ChangeDescription {
    const number = this.#numbering?.source ?? null;
    return describeParts({ number, held: this.#heldPeriods }, this.#parts.all(), this.#steps);
  }

  /**
   * Writes everything in one round trip; does nothing if there is nothing to write.
   * @param returned model whose rows are returned as inserted or changed
   * @throws ServiceError period_closed, period_locked; ConcurrentChange when a row is no longer the one that was read, or a contested key
   * is taken
   */
  async write<M extends TenantModel>(trx: Db, returned?: TenantModelClass<M>): Promise<M[]> {
    const numbering = this.#numbering;
    const parts = this.#parts.all();
    const run = (step: Step) => step.run(trx, this.ctx);
    // Rows that belong to no company are written by a statement before.
    const travels = ({ together }: Step) => together && !parts.some(({ table }) => table.isGlobal);
    const [rows] = await Promise.all([
      writeParts(
        trx,
        this.ctx,
        { held: this.#heldPeriods, numbering, parts, contested: [...this.#contested] },
        returned,
      ),
      ...this.#steps.filter(travels).map(run),
    ]);
    (await scopedConnection(trx)).recordChange(() => ({ description: this.describe(), code: numbering?.code ?? null }));
    for (const step of this.#steps) if (!travels(step)) await run(step);
    return rows;
  }

  get #heldPeriods(): HeldPeriod[] {
    return [...this.#held].map(([id, areas]) => ({ id, areas: [...areas] }));
  }

  #complete<M extends TenantModel>(model: TenantModelClass<M>, values: Values<M>): M & Record<string, unknown> {
    const now = this.ctx.now.toISOString();
    const tenant = model.isGlobal ? {} : { tenantId: this.ctx.tenantId };
    return { id: newId(), version: 1, ...values, ...tenant, createdAt: now, updatedAt: now } as M & Values<M>;
  }

  #auditRecord({ type, id }: Entity, oldValue: Shown | null, newValue: Shown | null) {
    const { userId, actor, requestId, now } = this.ctx;
    const action: AuditLog['action'] = oldValue === null ? 'CREATE' : newValue === null ? 'DELETE' : 'UPDATE';
    const made = { userId, actor, requestId, createdAt: now.toISOString() };
    return { id: newId(), entityType: type, entityId: id, action, oldValue, newValue, ...made };
  }
}

/** Events, or a function that builds them from the row after the change. */
export type Events<M> = readonly DomainEvent[] | ((next: M) => readonly DomainEvent[]);

/** A row to insert, without what the database fills in. */
export type Insertable<Table extends DeclaredTable> = {
  readonly [Member in keyof Row<Table>]?: Row<Table>[Member];
} & Pick<Row<Table>, 'id' & keyof Row<Table>>;
