/**
 * A pooled connection that serves one tenant. Knex can use it like one of the driver's connections. BEGIN, role and tenant travel with the
 * first statement. The tenant is set for the session, and only if the connection last served another. Reads have no transaction. Behind a
 * pooler, where a session is shared with others, everything is set for one transaction, and reads have one too.
 */
import type pg from 'pg';
import type { RecordedChange } from './changes/description.ts';
import { ConcurrentChange, isAborted, isAway, isReadOnly, repeats, UncertainCommit } from './errors.ts';
import { currentPlanMode, FIRST_PLAN_MODE, planFor, planModeBecame } from './plan-modes.ts';
import { fetchRows } from './rows.ts';
import { allowSilence } from './silence.ts';
import type { Statement } from './statement.ts';

export interface Scope {
  /**
   * `read` has no transaction of its own; `snapshot` is a read-only transaction that always sees the same state of the data; `preview` is a
   * transaction that is always rolled back.
   */
  readonly mode: 'transaction' | 'read' | 'snapshot' | 'preview';
  /** A role other than the connection's own, for this transaction only. */
  readonly role: string | null;
  readonly tenantId: string | null;
}

type Callback = (error: Error | null, result?: pg.QueryResult) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ROLE = /^[a-z_]+$/;
/** Knex's statement for rolling back part of a transaction. */
const ROLLBACK_TO = /^rollback to/i;

/** The tenant of each connection's session. */
const sessionTenants = new WeakMap<pg.PoolClient, string | null>();

/** Notice raised by triggers in transactions that change cached data of callers. */
const CALLERS_CHANGED = 'callers changed';
/** The connections that have received the notice in their current transaction. */
const changersOfCallers = new WeakSet<pg.PoolClient>();

/** Listens to the server's notices for the life of the connection. */
export function watchNotices(client: pg.PoolClient): void {
  client.on('notice', ({ message }) => {
    if (message === CALLERS_CHANGED) changersOfCallers.add(client);
  });
}

export class ScopedConnection {
  readonly #client: pg.PoolClient;
  readonly #scope: Scope;
  /** SQL of the settings that each transaction needs; null if the session is this process's own and has them. */
  readonly #settings: string | null;
  #released = false;
  /** SQL that begins the transaction; null after the first statement. */
  #beginning: string | null = null;
  /** Pending while the transaction begins. */
  #begun: Promise<unknown> | null = null;
  /** Whether a statement waits for that, so that later ones must wait too. */
  #someWait = false;
  /** Whether a transaction is open. */
  #open = false;
  /** Whether the server is read-only: it may have been replaced, and only a new connection reaches its successor. */
  #readOnly = false;
  #events: 'none' | 'news' | 'urgent' = 'none';
  /** Plan mode before the transaction, which a rollback restores. */
  #plannedBefore: ReturnType<typeof currentPlanMode> = null;
  #onLost: (() => void) | null = null;
  /** The last error of a statement that was not just refused because of an earlier one. */
  #failure: unknown = null;
  #committed = false;
  readonly #recorded: RecordedChange[] = [];
  /** Ends that its statements may take longer than usual; null if they may not. */
  #endAllowance: (() => void) | null = null;

  private constructor(client: pg.PoolClient, scope: Scope, settings: string | null) {
    this.#client = client;
    this.#scope = scope;
    this.#settings = settings;
  }

  /**
   * Takes a connection from the pool; the caller must release it.
   * @param settings SQL of the settings that each transaction needs, if sessions are shared through a pooler
   */
  static async take(pool: pg.Pool, scope: Scope, settings: string | null): Promise<ScopedConnection> {
    return new ScopedConnection(await pool.connect(), scope, settings);
  }

  /** Called by Knex for each statement. */
  query(statement: Statement, done: Callback): void {
    // Undoes only a part of the transaction.
    if (ROLLBACK_TO.test(statement.text)) planModeBecame(this.#client, null);
    this.#run(statement).then(
      (result) => done(null, result),
      (error) => done(error as Error),
    );
  }

  /** Runs a statement without Knex. @returns its rows */
  run<Row>(statement: Statement): Promise<Row[]> {
    return this.#sent(statement, () => fetchRows<Row>(this.#client, statement));
  }

  /** Does the work for which the connection was taken: in one transaction, unless it only reads. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#scope.mode === 'read' && this.#settings === null) {
      await this.#enterTenant();
      return await work();
    }
    this.#begin();
    try {
      const result = await work();
      if (this.#scope.mode === 'preview') await this.#undo();
      else await this.#commit();
      return result;
    } catch (error) {
      await this.#rollback();
      throw error;
    }
  }

  /** Runs a statement that only reads; setting the tenant, if necessary, travels with it. @returns its rows */
  async read<Row>(statement: Statement): Promise<Row[]> {
    if (this.#settings !== null) return await this.#readAlone<Row>(statement);
    const [, rows] = await Promise.all([this.#enterTenant(), this.run<Row>(statement)]);
    return rows;
  }

  /** Runs a statement in a transaction of its own, which begins and ends with it in one round trip. */
  async #readAlone<Row>(statement: Statement): Promise<Row[]> {
    this.#begin();
    const rows = this.run<Row>({ ...statement, onlyReads: true });
    const ended = this.#run({ text: 'commit', onlyReads: true }).then(() => {
      this.#open = false;
    });
    await Promise.allSettled([rows, ended]);
    return await rows;
  }

  /** Sets the session's tenant if it differs, which is enough for reads without a transaction. Until then it counts as unknown. */
  async #enterTenant(): Promise<void> {
    const { tenantId } = this.#scope;
    if (sessionTenants.get(this.#client) === tenantId) return;
    sessionTenants.delete(this.#client);
    await this.#run({ text: setTenant(tenantId, false) });
    sessionTenants.set(this.#client, tenantId);
  }

  /** Must be called when a change is written; a preview keeps its description. */
  recordChange(describe: () => RecordedChange): void {
    if (this.#scope.mode === 'preview') this.#recorded.push(describe());
  }

  /** The changes that a preview has written, in order. */
  get recordedChanges(): readonly RecordedChange[] {
    return this.#recorded;
  }

  /** Lets the statements of the transaction take longer than usual. */
  async allowTime(seconds: number): Promise<void> {
    this.#endAllowance?.();
    this.#endAllowance = allowSilence(this.#client, seconds * 1000);
    await this.#run({ text: `set local statement_timeout = '${Math.round(seconds)}s'` });
  }

  /** Must be called when something is written to the outbox. @param urgent whether somebody waits for its result */
  noteEvents(urgent: boolean): void {
    if (this.#events !== 'urgent') this.#events = urgent ? 'urgent' : 'news';
  }

  /** Whether events were committed, and whether somebody waits for their results. */
  get committedEvents(): 'none' | 'news' | 'urgent' {
    return this.#committed ? this.#events : 'none';
  }

  /** Whether cached data of callers was changed and committed. */
  get changedCallers(): boolean {
    return this.#committed && changersOfCallers.has(this.#client);
  }

  /** Calls the listener if the connection ends before its release. */
  onLost(listener: () => void): void {
    this.#onLost = listener;
    this.#client.once('end', listener);
  }

  /** Returns the connection to the pool, or closes it if it cannot be reused. It must not be used afterwards. */
  release(): void {
    this.#released = true;
    if (this.#onLost !== null) this.#client.off('end', this.#onLost);
    this.#endAllowance?.();
    this.#client.release(this.#readOnly || this.#open);
  }

  #begin(): void {
    const { mode, role, tenantId } = this.#scope;
    const isShared = this.#settings !== null;
    const isSet = !isShared && role === null && sessionTenants.get(this.#client) === tenantId;
    this.#beginning = [
      mode === 'snapshot' ? BEGIN_SNAPSHOT : 'begin',
      ...(isShared ? [this.#settings] : []),
      ...(role === null ? [] : [`set local role ${checked(role, ROLE)}`]),
      ...(isSet ? [] : [setTenant(tenantId, isShared || role !== null)]),
    ].join('; ');
    changersOfCallers.delete(this.#client);
    if (isShared) planModeBecame(this.#client, FIRST_PLAN_MODE);
    this.#plannedBefore = currentPlanMode(this.#client);
  }

  async #commit(): Promise<void> {
    if (this.#open) {
      const { command } = await this.#run({ text: 'commit' }).catch((error: unknown) => {
        throw isAway(error) ? new UncertainCommit(error) : error;
      });
      this.#open = false;
      // After a failed statement, PostgreSQL reports a commit as successful but rolls back.
      if (command !== 'COMMIT') {
        planModeBecame(this.#client, this.#plannedBefore);
        throw new Error('cannot commit, because a statement of the transaction has failed');
      }
      const { role, tenantId } = this.#scope;
      if (role === null && this.#settings === null) sessionTenants.set(this.#client, tenantId);
    }
    this.#beginning = null;
    this.#committed = true;
  }

  /** Ends a preview: checks what a commit would check, then rolls everything back. */
  async #undo(): Promise<void> {
    if (this.#open) await this.#run({ text: 'set constraints all immediate' });
    await this.#rollback();
  }

  /** Rolls back; PostgreSQL also restores the tenant if this transaction has set it. */
  async #rollback(): Promise<void> {
    this.#beginning = null;
    if (!this.#open) return;
    // If even that fails, the connection is closed, which also ends the transaction.
    await this.#run({ text: 'rollback' }).then(
      () => {
        this.#open = false;
        planModeBecame(this.#client, this.#plannedBefore);
      },
      () => undefined,
    );
  }

  #run(statement: Statement): Promise<pg.QueryResult> {
    return this.#sent(statement, () => this.#client.query(statement as pg.QueryConfig));
  }

  async #sent<T>(statement: Statement, send: () => Promise<T>): Promise<T> {
    if (this.#released) throw new Error('The transaction has ended');
    try {
      return await this.#inOrder(statement, () => {
        planFor(this.#client, statement, this.#settings !== null);
        return send().catch((error: unknown) => {
          throw this.#failureBy(error, statement);
        });
      });
    } catch (error) {
      if (isReadOnly(error)) this.#readOnly = true;
      throw error;
    }
  }

  /** PostgreSQL refuses all statements after a failed one; callers that have sent several at once get the error of the first. */
  #failureBy(error: unknown, { contested = [] }: Statement): unknown {
    if (isAborted(error)) return this.#failure ?? error;
    this.#failure = contested.some((constraint) => repeats(error, constraint)) ? new ConcurrentChange() : error;
    return this.#failure;
  }

  /** Sends statements in order. Until the transaction has begun, only those that read are sent. */
  async #inOrder<T>({ onlyReads }: Statement, send: () => Promise<T>): Promise<T> {
    if (this.#beginning !== null) {
      this.#begun = this.#client.query(this.#beginning);
      this.#beginning = null;
      this.#open = true;
      this.#begun.then(
        () => {
          this.#begun = null;
        },
        () => undefined, // If it fails, so do all statements of the transaction.
      );
    }
    if (this.#begun === null) return await send();
    this.#someWait ||= onlyReads !== true;
    if (this.#someWait) {
      await this.#begun;
      return await send();
    }
    const [, result] = await Promise.all([this.#begun, send()]);
    return result;
  }
}

/** Reports sort and match a year's lines, which would spill to disk in the usual 4 MB; only few snapshots run at once. */
const BEGIN_SNAPSHOT = "begin isolation level repeatable read read only; set local work_mem = '16MB'";

function setTenant(tenantId: string | null, local: boolean): string {
  return `select set_config('app.tenant_id', '${tenantId === null ? '' : checked(tenantId, UUID)}', ${local})`;
}

/** Checks that a value can be put into SQL text without quoting. */
function checked(value: string, form: RegExp): string {
  if (!form.test(value)) throw new TypeError('A scope must be a UUID and a role name');
  return value;
}
