/**
 * The doors to PostgreSQL. Each sets role and tenant before anything else runs, so that row-level security decides what is visible,
 * whatever the queries say. The Knex instance itself stays private.
 */
import { setTimeout as delay } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { ServiceError } from '../domain/errors.ts';
import type { RecordedChange } from './changes/description.ts';
import { hasOtherColumns, isLockTimeout, isRetryable, LockHeld, translateDatabaseError } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import { lazyKnex, scopedConnection } from './lazy-knex.ts';
import { type Busy, OUTBOX_CHANNEL, Pokes } from './pokes.ts';
import { destination } from './primary.ts';
import { Recovery } from './recovery.ts';
import { type Scope, ScopedConnection, watchNotices } from './scoped-connection.ts';
import { asLocal, asOptions, sessionSettings } from './session-settings.ts';
import { Shares } from './shares.ts';
import { endWhenSilent, Primary } from './silence.ts';
import type { Statement } from './statement.ts';
import { Turns } from './turns.ts';
import { Uses } from './uses.ts';

/** A connection with its tenant and role set: inside a transaction, or for reads only. */
export type Db = Knex.Transaction;

/** Reads of one tenant outside transactions: each statement gets a connection of the pool for itself. */
export interface PoolReader {
  run<Row>(statement: Statement): Promise<Row[]>;
}

/** Runs statements that read (`db/sql.ts`): a transaction, or the pool. */
export type Reader = Db | PoolReader;

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Bytes that each company may store, as seen by statements (`app.storage_budget`); 0 or absent = no limit. */
  readonly storageBudget?: number;
  /** Whether people wait for its transactions. These take turns, and while there are many, the relays hold events back. */
  readonly servesPeople?: boolean;
  /** How long work waits while the database is away; 0 or absent = it fails at once. */
  readonly patienceMs?: number;
  /** Whether a pooler in between gives each transaction any of its connections (PgBouncer in transaction mode). */
  readonly isPooled?: boolean;
  /** Longest time that a statement waits without a byte of its answer before its connection is given up; 45 s by default. */
  readonly silenceMs?: number;
  /** Awaited after the commit of a transaction that has changed cached data of callers. */
  readonly callersChanged?: () => Promise<void>;
}

const BEHIND = `select case when pg_is_in_recovery() then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())
  else 0 end::float8 as behind`;

/** The role that requests and workflows act as: not an owner, no superuser, bound by every policy. */
export const APP_ROLE = 'bms_app';
/** The role for work across tenants (login, relay): it sees only tables with policies for it. */
export const SYSTEM_ROLE = 'bms_system';

// Dates stay plain days, exact numbers stay text, instants become ISO 8601 text.
const DATE = 1082;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const BIGINT = 20;
pg.types.setTypeParser(DATE, (text) => text);
pg.types.setTypeParser(NUMERIC, (text) => text);
pg.types.setTypeParser(BIGINT, (text) => Number(text));
pg.types.setTypeParser(TIMESTAMPTZ, isoInstant);

/** 2026-03-31 08:15:00.123456+00, as sessions in UTC write it: milliseconds are enough. */
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/;

function isoInstant(text: string): string {
  const [, day, time, fraction = ''] = INSTANT.exec(text) ?? [];
  return day === undefined ? new Date(text).toISOString() : `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}

/** How often a transaction is retried after a deadlock or a lost race before the caller gets a 503. */
const MAX_REPEATS = 5;
/** The first retry is immediate; then follow random pauses of up to this long, twice this long, and so on. */
const PAUSE_MS = 25;

/** Longest wait for a row with a connection in hand, of transactions that people wait for. */
export const LOCK_TIMEOUT_MS = 500;

/** The share of the pool for transactions of one company, of those that people wait for. */
const WRITE_SHARE = 0.25;
/** Maximum waiting transactions of a company, and longest wait for their turn. */
const WAITING_WRITES = 500;
const WRITE_PATIENCE_MS = 25_000;

/** The share of the pool for snapshots; each tenant may use half of it. */
const SNAPSHOT_SHARE = 0.4;

/**
 * Maximum concurrent transactions that people wait for. More transactions than cores do not finish sooner, and each additional connection
 * must first plan its statements, which takes longer than running them.
 */
const MAX_TRANSACTIONS = 6;
/** Longest wait for the turn of a transaction: those before it may be waiting for a lock, perhaps one that it will release. */
const TRANSACTION_PATIENCE_MS = 100;
/** Longest wait for the turn of a read. */
const READ_PATIENCE_MS = 10_000;

/** Number of concurrent transactions from which two cores are busy and each transaction waits for the others. */
const BUSY_CONNECTIONS = 4;

/** How long an idle connection stays open, apart from those reserved for people's transactions: a new one must plan all statements. */
const IDLE_MS = 30_000;
/** A connection is replaced after this time, which bounds the memory of its prepared statements. */
const LIFETIME_SECONDS = 3600;
/** How long to wait for a connection. */
const CONNECT_MS = 30_000;

export class Database {
  readonly #pool: pg.Pool;
  readonly #take: Take;
  /** Builds statements; its connections come from the pool. */
  readonly #knex: Knex;
  readonly #pokes: Pokes;
  /** Transactions that people wait for, companies in turns. */
  readonly #transactions: FairQueue | null;
  /** Transactions that people wait for, by company: whatever one of them waits for, others have connections. */
  readonly #writes: FairQueue | null;
  readonly #turns = new Turns();
  readonly #recovery: Recovery;
  readonly #callersChanged: (() => Promise<void>) | undefined;
  readonly #snapshots: Shares;
  readonly #uses = new Uses();
  /** Reads by company, so that long searches and reports of one leave connections for the short reads of others. */
  readonly #reads: FairQueue;

  constructor(options: DatabaseOptions) {
    this.#callersChanged = options.callersChanged;
    this.#recovery = new Recovery(options.patienceMs ?? 0, () => this.#isWritable());
    this.#snapshots = new Shares(Math.max(1, Math.floor(options.poolSize * SNAPSHOT_SHARE)));
    this.#reads = new FairQueue({
      placesPerCaller: Math.max(1, Math.floor(options.poolSize / 2)),
      patience: { ms: READ_PATIENCE_MS, afterwards: 'refuse' },
      refusal: tooManyReads,
    });
    const settings = sessionSettings({
      role: APP_ROLE,
      'app.storage_budget': String(options.storageBudget ?? 0),
      ...(options.servesPeople ? { lock_timeout: String(LOCK_TIMEOUT_MS) } : {}),
    });
    const local = options.isPooled ? asLocal(settings) : null;
    this.#take = (scope) => ScopedConnection.take(this.#pool, scope, local);
    this.#pool = new pg.Pool({
      ...destination(options.url),
      application_name: options.applicationName,
      ...(options.isPooled ? {} : { options: asOptions(settings) }),
      max: options.poolSize,
      min: options.servesPeople ? Math.min(MAX_TRANSACTIONS, options.poolSize) : 0,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: CONNECT_MS,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      // Statements that do not wait for each other travel together.
      pipeline: true,
    });
    // A lost connection fails its running statement, which the caller handles; losing an idle one does no harm.
    this.#pool.on('error', () => {});
    const primary = new Primary();
    this.#pool.on('connect', (client) => {
      client.on('error', () => {});
      watchNotices(client);
      endWhenSilent(client, options.silenceMs);
      primary.add(client);
    });
    this.#transactions = options.servesPeople
      ? new FairQueue({ places: MAX_TRANSACTIONS, patience: { ms: TRANSACTION_PATIENCE_MS, afterwards: 'run' } })
      : null;
    this.#writes = options.servesPeople
      ? new FairQueue({
          placesPerCaller: Math.max(2, Math.floor(options.poolSize * WRITE_SHARE)),
          waitingPerCaller: WAITING_WRITES,
          patience: { ms: WRITE_PATIENCE_MS, afterwards: 'refuse' },
          refusal: tooManyWrites,
        })
      : null;
    this.#pokes = new Pokes(
      (poke) => this.notify(OUTBOX_CHANNEL, poke),
      () => this.#busy(),
    );
    // Errors are thrown and logged by their handlers; Knex would also print them.
    this.#knex = knex({ client: 'pg', log: { warn() {}, error() {} } });
  }

  /**
   * Runs `work` in one transaction of one tenant and commits, or rolls back when it throws. Retries it up to 5 times after a deadlock, a
   * serialization failure or a lost race (`ConcurrentChange`), and when locks that it found taken are free.
   * @throws ServiceError too_many_requests when too many changes of the tenant wait, unavailable when locks stay taken; for database errors
   * that a caller can act on (duplicate, in use, bad reference, …)
   */
  async withTenant<T>(scope: { tenantId: string; userId?: string | null }, work: (trx: Db) => Promise<T>): Promise<T> {
    return this.#run({ mode: 'transaction', role: null, tenantId: scope.tenantId }, work);
  }

  /**
   * Runs `work` like `withTenant` and rolls everything back, to show what it would do. Also throws what only a commit would refuse.
   * @param work gets the changes that it has written so far
   * @throws ServiceError as `withTenant` does
   */
  async preview<T>(
    scope: { tenantId: string },
    work: (trx: Db, changes: () => readonly RecordedChange[]) => Promise<T>,
  ): Promise<T> {
    return this.#run({ mode: 'preview', role: null, tenantId: scope.tenantId }, async (trx) => {
      const connection = await scopedConnection(trx);
      return await work(trx, () => connection.recordedChanges);
    });
  }

  /** Reads of one tenant, without a transaction: each statement sees the latest committed state. Must not write. */
  async readTenant<T>(scope: { tenantId: string }, work: (db: Db) => Promise<T>): Promise<T> {
    return this.#run({ mode: 'read', role: null, tenantId: scope.tenantId }, work);
  }

  /**
   * Reads of one tenant that must agree: all statements see the same committed state. For short reads, which take turns as with `reader`;
   * streams use `snapshot`.
   */
  async readConsistently<T>(scope: { tenantId: string }, work: (db: Db) => Promise<T>): Promise<T> {
    const scoped: Scope = { mode: 'snapshot', role: null, tenantId: scope.tenantId };
    return this.#reads.run(() => this.#run(scoped, work), scope.tenantId);
  }

  /**
   * Reads of one tenant without a transaction, each statement on a connection of its own; none is held in between. Those of a tenant take
   * turns on half of the pool.
   */
  reader({ tenantId }: { tenantId: string }): PoolReader {
    return new TenantReader(this.#take, this.#reads, this.#uses, this.#recovery, tenantId);
  }

  /**
   * Reads of one tenant from one snapshot while `work` runs; for streams. Each holds a connection, so snapshots get a share of the pool,
   * and each tenant a share of that. Rejects when the connection is lost, even while `work` waits. `work` runs exactly once.
   * @throws ServiceError too_many_requests when the share is used up
   */
  async snapshot<T>(scope: { tenantId: string }, work: (db: Db) => Promise<T>): Promise<T> {
    const giveBack = this.#snapshots.take(scope.tenantId);
    if (giveBack === null) {
      throw new ServiceError('too_many_requests', 'Too many exports are running; try again in a moment', {
        retryAfter: 5,
      });
    }
    this.#uses.begin(scope.tenantId);
    try {
      return await this.#snapshot(scope.tenantId, work);
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      this.#uses.end(scope.tenantId);
      giveBack();
    }
  }

  #snapshot<T>(tenantId: string, work: (db: Db) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#using({ mode: 'snapshot', role: null, tenantId }, async (connection) => {
        connection.onLost(() => reject(new ServiceError('unavailable', 'The database has ended this connection')));
        return await connection.within(() => work(lazyKnex(this.#knex, connection)));
      }).then(resolve, reject);
    });
  }

  /**
   * A transaction across tenants, limited to the tables that name the system role in their policies.
   * @param isPatient whether it waits while the database is away; a look at that does not
   */
  async withSystem<T>(work: (trx: Db) => Promise<T>, isPatient = true): Promise<T> {
    return this.#run({ mode: 'transaction', role: SYSTEM_ROLE, tenantId: null }, work, isPatient);
  }

  async #isWritable(): Promise<boolean> {
    try {
      const { rows } = await this.#pool.query<{ writable: boolean }>('select not pg_is_in_recovery() as writable');
      return rows[0]?.writable === true;
    } catch {
      return false; // It is away still.
    }
  }

  /** Whether the server answers within the pool's connection timeout. */
  async ping(): Promise<boolean> {
    try {
      await this.#pool.query('select 1');
      return true;
    } catch {
      return false; // The health check needs a boolean, not an error.
    }
  }

  /**
   * How many seconds the server is behind: the age of what it has replayed last, 0 for a primary. Where nothing is written, a standby seems
   * to be behind. Null if it does not answer.
   */
  async secondsBehind(): Promise<number | null> {
    try {
      const { rows } = await this.#pool.query<{ behind: number | null }>(BEHIND);
      return rows[0]?.behind ?? null;
    } catch {
      return null; // Its caller reads from another server.
    }
  }

  /** Notifies the listeners of a channel (`Listener`), outside transactions. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.#pool.query(`notify ${channel}, ${pg.escapeLiteral(payload)}`);
  }

  /** Usage of the pool, for metrics. */
  poolUsage(): { used: number; free: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, free: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    this.#pokes.close();
    await this.#pool.end();
  }

  async #run<T>(scope: Scope, work: (trx: Db) => Promise<T>, isPatient = true): Promise<T> {
    this.#uses.begin(scope.tenantId);
    try {
      // Where nobody waits, a transaction that names its own limit (`lock_timeout`) gives up, and its caller comes back later.
      const rows = this.#writes === null ? null : `rows of ${scope.tenantId ?? 'the service'}`;
      const once = () => this.#repeated(scope, work);
      return await this.#turns.run(isPatient ? () => this.#recovery.run(once) : once, rows);
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      this.#uses.end(scope.tenantId);
    }
  }

  /** Repeats lost races at once; taken locks are for the caller, who waits without a connection. */
  async #repeated<T>(scope: Scope, work: (trx: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#admitted(scope, () =>
          this.#using(scope, (connection) => connection.within(() => work(lazyKnex(this.#knex, connection)))),
        );
      } catch (error) {
        const isLocked = error instanceof LockHeld || isLockTimeout(error);
        if (isLocked || !isRetryable(error) || attempt > MAX_REPEATS) throw error;
        if (attempt > 1) await delay(Math.random() * PAUSE_MS * 2 ** (attempt - 2));
      }
    }
  }

  /** Runs a transaction that people wait for in its turn: first of its company, then of all. */
  #admitted<T>({ mode, tenantId }: Scope, once: () => Promise<T>): Promise<T> {
    const [all, writes] = [this.#transactions, this.#writes];
    if (all === null || writes === null || (mode !== 'transaction' && mode !== 'preview')) return once();
    return tenantId === null ? all.run(once) : writes.run(() => all.run(once, tenantId), tenantId);
  }

  /** Who is kept waiting for the database; all are, unless what one company has under way explains it. */
  #busy(): Busy {
    const [all, writes] = [this.#transactions, this.#writes];
    if (all === null || writes === null) return { all: false, has: () => false };
    const { used, waiting } = this.poolUsage();
    const isBusy = used + waiting + all.waiting + writes.waiting >= BUSY_CONNECTIONS;
    return {
      all: isBusy && this.#uses.most < BUSY_CONNECTIONS,
      has: (tenantId) => isBusy && this.#uses.of(tenantId) >= BUSY_CONNECTIONS,
    };
  }

  async #using<T>(scope: Scope, work: (connection: ScopedConnection) => Promise<T>): Promise<T> {
    const connection = await this.#take(scope);
    try {
      return await work(connection);
    } finally {
      const { changedCallers, committedEvents } = connection;
      connection.release();
      if (committedEvents !== 'none') this.#pokes.committed(scope.tenantId, committedEvents === 'urgent');
      if (changedCallers) await this.#callersChanged?.();
    }
  }
}

/** Takes a connection of the pool. */
type Take = (scope: Scope) => Promise<ScopedConnection>;

class TenantReader implements PoolReader {
  readonly #take: Take;
  readonly #queue: FairQueue;
  readonly #uses: Uses;
  readonly #recovery: Recovery;
  readonly #scope: Scope & { readonly tenantId: string };

  constructor(take: Take, queue: FairQueue, uses: Uses, recovery: Recovery, tenantId: string) {
    this.#take = take;
    this.#queue = queue;
    this.#uses = uses;
    this.#recovery = recovery;
    this.#scope = { mode: 'read', role: null, tenantId };
  }

  async run<Row>(statement: Statement): Promise<Row[]> {
    const { tenantId } = this.#scope;
    const twice = () =>
      this.#once<Row>(statement).catch((error: unknown) => {
        if (!hasOtherColumns(error)) throw error;
        return this.#once<Row>(statement);
      });
    this.#uses.begin(tenantId);
    try {
      return await this.#recovery.run(() => this.#queue.run(twice, tenantId));
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      this.#uses.end(tenantId);
    }
  }

  async #once<Row>(statement: Statement): Promise<Row[]> {
    const connection = await this.#take(this.#scope);
    try {
      return await connection.read<Row>(statement);
    } finally {
      connection.release();
    }
  }
}

/** Enters a tenant inside a system transaction (set-up of a new company), or leaves it again with null. */
export async function switchScope(trx: Db, scope: { tenantId: string } | 'system'): Promise<void> {
  if (scope === 'system') await trx.raw(`set local role ${SYSTEM_ROLE}`);
  else
    await trx.raw(
      `set local role ${APP_ROLE}; select set_config('app.tenant_id', '${assertUuid(scope.tenantId)}', true)`,
    );
}

function tooManyWrites(): ServiceError {
  const message = 'Too much of this company is being changed at once; try again in a moment';
  return new ServiceError('too_many_requests', message, { retryAfter: 5 });
}

function tooManyReads(): ServiceError {
  return new ServiceError(
    'too_many_requests',
    'Too much of this company is being read at once; try again in a moment',
    {
      retryAfter: 5,
    },
  );
}

function assertUuid(value: string): string {
  if (!/^[0-9a-f-]{36}$/i.test(value)) throw new Error('a tenant id must be a UUID');
  return value;
}
