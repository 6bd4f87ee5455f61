/** Knex on one connection, created on first use: most transactions only run prepared statements and never need it. */
import knex, { type Knex } from 'knex';
import type { ScopedConnection } from './scoped-connection.ts';

type Client = typeof knex.Client;

/** Connections of transactions by their Knex, which may not have been created yet. */
const connections = new WeakMap<object, ScopedConnection>();

/**
 * @param dialect a Knex that is not connected
 * @param connection in a transaction: a Knex transaction within it is a savepoint
 */
export function lazyKnex(dialect: Knex, connection: ScopedConnection): Knex.Transaction {
  let made: Knex | undefined;
  const own = () => {
    made ??= knex({ client: connectionClient(dialect, connection), log: dialect.client.config.log });
    return made;
  };
  const lazy = new Proxy((() => undefined) as unknown as Knex.Transaction, {
    get: (_, member) => Reflect.get(own(), member),
    apply: (_, __, args) => Reflect.apply(own(), undefined, args),
  });
  connections.set(lazy, connection);
  return lazy;
}

/** The connection of a transaction, or of a savepoint in one. */
export async function scopedConnection(db: Knex): Promise<ScopedConnection> {
  return connections.get(db) ?? ((await db.client.acquireConnection()) as ScopedConnection);
}

/** Lets the statements of a transaction take longer than usual: the server, and this process, give them up after so many seconds. */
export async function allowTime(trx: Knex, seconds: number): Promise<void> {
  await (await scopedConnection(trx)).allowTime(seconds);
}

/** A client that always has the same connection, in which a transaction is open. */
function connectionClient(dialect: Knex, connection: ScopedConnection): Client {
  return class extends (dialect.client.constructor as Client) {
    transacting = true;
    override acquireConnection(): Promise<ScopedConnection> {
      return Promise.resolve(connection);
    }
    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }
  };
}
