/** Encrypts the values of headers that version 1.0.0 stored. Safe while the service runs, and repeatable; indexes find what is left. */
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { actionHeaders, maskActions } from '../../../domain/integrations/automations/headers.ts';
import { type Headers, masked } from '../../../domain/integrations/webhooks/headers.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { sealHeaders } from './header-values.ts';

/** Rows per transaction. */
const BATCH = 200;
const IN_ACTIONS = "jsonb_path_exists(actions, '$[*].headers.*')";

/** A table whose rows have headers. */
interface Store<Value = unknown> {
  readonly table: string;
  /** JSON column with the headers. */
  readonly column: string;
  /** The row to whose id they are bound. */
  readonly owner: string;
  readonly hasHeaders: string;
  readonly headers: (value: Value) => readonly Headers[];
  readonly masked: (value: Value) => Value;
}

const webhooks: Store<Headers> = {
  table: 'webhooks',
  column: 'headers',
  owner: 'id',
  hasHeaders: "headers <> '{}'",
  headers: (headers) => [headers],
  masked,
};

const actions = (table: string, owner: string): Store<readonly object[]> => ({
  table,
  column: 'actions',
  owner,
  hasHeaders: IN_ACTIONS,
  headers: actionHeaders,
  masked: maskActions,
});

/** Encrypts all values that are stored in plain text. @returns how many rows had some */
export async function sealPlainHeaders(database: Database, keys: EncryptionKeys): Promise<number> {
  const one = await sealStore(database, keys, webhooks);
  const rules = await sealStore(database, keys, actions('automations', 'id'));
  return one + rules + (await sealStore(database, keys, actions('automation_runs', 'automation_id')));
}

async function sealStore<Value>(database: Database, keys: EncryptionKeys, store: Store<Value>): Promise<number> {
  let sealed = 0;
  for (;;) {
    const done = await database.withSystem((trx) => sealBatch(trx, keys, store));
    sealed += done;
    if (done < BATCH) return sealed;
  }
}

async function sealBatch<Value>(trx: Db, keys: EncryptionKeys, store: Store<Value>): Promise<number> {
  const { table, column, owner, hasHeaders } = store;
  const rows = await query<{ tenantId: string; id: string; owner: string; value: Value }>(
    trx,
    `select tenant_id as "tenantId", id, ${owner} as owner, ${column} as value from ${table}
     where headers_encrypted is null and ${hasHeaders} order by tenant_id, id limit ${BATCH} for no key update`,
    {},
  );
  for (const { tenantId, id, owner: ownerId, value } of rows) {
    await query(
      trx,
      `update ${table} set headers_encrypted = :sealed, ${column} = :masked::jsonb
       where tenant_id = :tenantId::uuid and id = :id::uuid`,
      {
        tenantId,
        id,
        sealed: sealHeaders(keys, { tenantId, id: ownerId }, store.headers(value)),
        masked: JSON.stringify(store.masked(value)),
      },
    );
  }
  return rows.length;
}
