/**
 * Knex's PostgreSQL client with transactions that know their tenant. Role and tenant travel with BEGIN in one round trip;
 * reads skip the transaction and set the tenant for the session, only when the pooled connection last served another.
 * A committed transaction that wrote events says so, so that the relay can be woken after (never inside) the commit.
 */
import { createRequire } from 'node:module';
import { isReadOnly } from './errors.ts';
import { EVENT_INSERT, type NamedStatement } from './statements.ts';

export interface ScopedTransactionConfig {
  readonly scope: {
    /** `snapshot` is a transaction that only reads, and sees one state of the data throughout. */
    readonly mode: 'transaction' | 'read' | 'snapshot';
    /** A role other than the connection's own, for this transaction only. */
    readonly role: string | null;
    readonly tenantId: string | null;
  };
  /** Called after the commit of a transaction that wrote to the outbox. */
  readonly onEvents?: () => void;
  /** Called when the connection ends under the transaction. */
  readonly onLost?: () => void;
}

interface Connection {
  sessionTenant?: string | null;
  wroteEvents?: boolean;
  /** Knex's own: set, the pool hands the connection out no more. */
  __knex__disposed?: unknown;
  /** The driver's own. */
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
  once(event: 'end', listener: () => void): void;
  off(event: 'end', listener: () => void): void;
}

/** The parts of Knex's internal transaction class that are built on here (knex 3.x, pinned exactly). */
interface InternalTransaction {
  query(connection: Connection, sql: string): Promise<unknown>;
  commit(connection: Connection, value: unknown): Promise<unknown>;
  rollback(connection: Connection, error: unknown): Promise<unknown>;
  _completed: boolean;
  _resolver(value: unknown): void;
  _rejecter(error: unknown): void;
}
type Constructor<T> = new (...parameters: unknown[]) => T;

const require = createRequire(import.meta.url);
const PostgresClient = require('knex/lib/dialects/postgres/index.js') as Constructor<{
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  _query(connection: Connection, query: { sql: string }): Promise<unknown>;
}>;
const PostgresTransaction =
  require('knex/lib/dialects/postgres/execution/pg-transaction.js') as Constructor<InternalTransaction>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ROLE = /^[a-z_]+$/;

class TenantTransaction extends PostgresTransaction {
  readonly #scope: ScopedTransactionConfig['scope'];
  readonly #onEvents: (() => void) | undefined;
  readonly #onLost: (() => void) | undefined;

  constructor(client: unknown, container: unknown, config: ScopedTransactionConfig, outer: unknown) {
    super(client, container, config, outer);
    this.#scope = config.scope;
    this.#onEvents = config.onEvents;
    this.#onLost = config.onLost;
  }

  begin(connection: Connection): Promise<unknown> {
    connection.wroteEvents = false;
    if (this.#onLost !== undefined) connection.once('end', this.#onLost);
    const begin = this.#scope.mode === 'snapshot' ? 'begin isolation level repeatable read read only' : 'begin';
    const role = this.#scope.role === null ? '' : ` set local role ${checked(this.#scope.role, ROLE)};`;
    return this.query(connection, `${begin};${role} ${setTenant(this.#scope.tenantId, true)}`);
  }

  override async commit(connection: Connection, value: unknown): Promise<unknown> {
    const { wroteEvents } = connection;
    this.#leave(connection);
    const result = await super.commit(connection, value);
    if (wroteEvents) this.#onEvents?.();
    return result;
  }

  override rollback(connection: Connection, error: unknown): Promise<unknown> {
    this.#leave(connection);
    return super.rollback(connection, error);
  }

  /** The connection goes on to others, whose loss concerns nobody here. */
  #leave(connection: Connection): void {
    if (this.#onLost !== undefined) connection.off('end', this.#onLost);
  }
}

class TenantReader extends PostgresTransaction {
  readonly #tenantId: string | null;

  constructor(client: unknown, container: unknown, config: ScopedTransactionConfig, outer: unknown) {
    super(client, container, config, outer);
    this.#tenantId = config.scope.tenantId;
  }

  async begin(connection: Connection): Promise<void> {
    if (connection.sessionTenant === this.#tenantId) return;
    await this.query(connection, setTenant(this.#tenantId, false));
    connection.sessionTenant = this.#tenantId;
  }

  override async commit(_connection: Connection, value: unknown): Promise<void> {
    this._completed = true;
    this._resolver(value);
  }

  override async rollback(_connection: Connection, error: unknown): Promise<void> {
    this._completed = true;
    this._rejecter(error);
  }
}

export class ScopedClient extends PostgresClient {
  override async _query(connection: Connection, query: { sql: string }): Promise<unknown> {
    if (query.sql.includes(EVENT_INSERT)) connection.wroteEvents = true;
    try {
      return await super._query(connection, query);
    } catch (error) {
      throw givenUpIfReadOnly(connection, error);
    }
  }

  /** Runs a prepared statement on a connection that has its tenant. @returns its rows */
  async runNamed<Row>(
    connection: Connection,
    { writesEvents, ...statement }: Omit<NamedStatement, 'name'> & { readonly name?: string },
  ): Promise<Row[]> {
    if (writesEvents) connection.wroteEvents = true;
    try {
      return (await connection.query(statement)).rows as Row[];
    } catch (error) {
      throw givenUpIfReadOnly(connection, error);
    }
  }

  /** Runs one prepared statement that reads, on a connection of the pool. @returns its rows */
  async readNamed<Row>(tenantId: string, statement: NamedStatement): Promise<Row[]> {
    const connection = await this.acquireConnection();
    try {
      if (connection.sessionTenant !== tenantId) {
        await this._query(connection, { sql: setTenant(tenantId, false) });
        connection.sessionTenant = tenantId;
      }
      return await this.runNamed<Row>(connection, statement);
    } finally {
      await this.releaseConnection(connection);
    }
  }

  transaction(container: unknown, config: ScopedTransactionConfig | undefined, outer: unknown): InternalTransaction {
    // Nested transactions are savepoints: they keep the scope of the outer one.
    if (config?.scope === undefined) return new PostgresTransaction(this, container, config, outer);
    const Scoped = config.scope.mode === 'read' ? TenantReader : TenantTransaction;
    return new Scoped(this, container, config, outer);
  }
}

/** A server that takes no writes has perhaps been replaced by another one, which only a new connection reaches. */
function givenUpIfReadOnly(connection: Connection, error: unknown): unknown {
  if (isReadOnly(error)) connection.__knex__disposed = error;
  return error;
}

function setTenant(tenantId: string | null, local: boolean): string {
  return `select set_config('app.tenant_id', '${tenantId === null ? '' : checked(tenantId, UUID)}', ${local})`;
}

/** What goes into SQL text is checked to be of the form that needs no quoting. */
function checked(value: string, form: RegExp): string {
  if (!form.test(value)) throw new TypeError('A scope must be a UUID and a role name');
  return value;
}
