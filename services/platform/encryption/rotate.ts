/** Re-encrypts stored secrets with the current key. Safe while the service runs, and repeatable. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import {
  answersPlace,
  certificatePlace,
  type EncryptionKeys,
  headersPlace,
  keptAnswerPlace,
  pushKeyPlace,
  retiredSecretsPlace,
  SealError,
  seal,
  sealedPrefix,
  unseal,
  webhookSecretPlace,
} from './seal.ts';

/** Values per transaction. */
const BATCH = 200;

/** A column that stores encrypted values. */
interface Store {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Key columns, in the order of the scan. */
  readonly key: readonly string[];
  /** Computes the place that a value is bound to from its key columns. */
  readonly place: (key: readonly string[]) => string;
}

const owner = ([tenantId = '', id = '']: readonly string[]) => ({ tenantId, id });

const STORES: readonly Store[] = [
  {
    name: 'secrets of webhooks',
    table: 'webhooks',
    column: 'secret_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => webhookSecretPlace(owner(key)),
  },
  {
    name: 'secrets of webhooks that still sign after a rotation',
    table: 'webhooks',
    column: 'retired_secrets_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => retiredSecretsPlace(owner(key)),
  },
  {
    name: 'secrets of plugins',
    table: 'plugins',
    column: 'secret_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => webhookSecretPlace(owner(key)),
  },
  {
    name: 'secrets of plugins that still sign after a rotation',
    table: 'plugins',
    column: 'retired_secrets_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => retiredSecretsPlace(owner(key)),
  },
  {
    name: 'headers of webhooks',
    table: 'webhooks',
    column: 'headers_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => headersPlace(owner(key)),
  },
  {
    name: 'headers of automations',
    table: 'automations',
    column: 'headers_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => headersPlace(owner(key)),
  },
  {
    name: 'headers of runs of automations',
    table: 'automation_runs',
    column: 'headers_encrypted',
    key: ['tenant_id', 'automation_id', 'id'],
    place: (key) => headersPlace(owner(key)),
  },
  {
    name: 'answers of calls of runs of automations',
    table: 'automation_runs',
    column: 'answers_encrypted',
    key: ['tenant_id', 'id'],
    place: (key) => answersPlace(owner(key)),
  },
  {
    name: 'keys of certificates',
    table: 'verifactu_certificates',
    column: 'sealed',
    key: ['tenant_id', 'id'],
    place: (key) => certificatePlace(owner(key)),
  },
  {
    name: 'private key of Web Push',
    table: 'push_keys',
    column: 'private_key_sealed',
    key: ['name'],
    place: pushKeyPlace,
  },
  {
    name: 'answers kept for Idempotency-Keys',
    table: 'idempotency_keys',
    column: 'body_sealed',
    key: ['tenant_id', 'caller', 'path', 'key'],
    place: ([tenantId = '', caller = '', path = '', key = '']) => keptAnswerPlace(tenantId, { caller, path, key }),
  },
];

export interface Rotation {
  readonly name: string;
  /** Number of values re-encrypted. */
  readonly sealed: number;
  /** Number of values that others changed in the meantime, using the current key. */
  readonly changed: number;
  /** Keys of values that no key decrypts; they stay unchanged. */
  readonly unopened: readonly string[];
}

/** Re-encrypts all values that are not encrypted with the first key. Repeatable: skips values already done. */
export async function rotateKeys(database: Database, keys: EncryptionKeys): Promise<Rotation[]> {
  const rotations: Rotation[] = [];
  for (const store of STORES) rotations.push(await rotateStore(database, keys, store));
  return rotations;
}

async function rotateStore(database: Database, keys: EncryptionKeys, store: Store): Promise<Rotation> {
  let rotation: Rotation = { name: store.name, sealed: 0, changed: 0, unopened: [] };
  let after: readonly string[] | null = null;
  do {
    const { last, ...done }: Batch = await rotateBatch(database, keys, store, after);
    rotation = {
      ...rotation,
      sealed: rotation.sealed + done.sealed,
      changed: rotation.changed + done.changed,
      unopened: [...rotation.unopened, ...done.unopened],
    };
    after = last;
  } while (after !== null);
  return rotation;
}

interface Batch extends Omit<Rotation, 'name'> {
  readonly last: readonly string[] | null;
}

async function rotateBatch(
  database: Database,
  keys: EncryptionKeys,
  { table, column, key, place }: Store,
  after: readonly string[] | null,
): Promise<Batch> {
  const prefix = sealedPrefix(keys);
  const columns = key.join(', ');
  const named = (values: readonly string[]) => Object.fromEntries(values.map((value, nth) => [`key${nth}`, value]));
  const placeholders = key.map((name, nth) => (name.endsWith('id') ? `:key${nth}::uuid` : `:key${nth}`)).join(', ');
  return database.withSystem(async (trx) => {
    const rows = await query<{ key: string[]; value: Buffer }>(
      trx,
      `select array[${key.map((name) => `${name}::text`).join(', ')}] as key, ${column} as value from ${table}
       where ${column} is not null and substring(${column} from 1 for :length::integer) <> :prefix
         ${after === null ? '' : `and (${columns}) > (${placeholders})`}
       order by ${columns} limit ${BATCH}`,
      { prefix, length: prefix.length, ...named(after ?? []) },
    );
    let [sealed, changed] = [0, 0];
    const unopened: string[] = [];
    for (const row of rows) {
      const text = decryptOrNull(keys, place(row.key), row.value);
      if (text === null) {
        unopened.push(`${table}.${column} of ${row.key.join(' ')}`);
        continue;
      }
      const renewed = await query(
        trx,
        `update ${table} set ${column} = :renewed where (${columns}) = (${placeholders}) and ${column} = :value returning 1`,
        { renewed: seal(keys, place(row.key), text), value: row.value, ...named(row.key) },
      );
      if (renewed.length > 0) sealed++;
      else changed++;
    }
    return { sealed, changed, unopened, last: rows.length < BATCH ? null : (rows.at(-1)?.key ?? null) };
  });
}

function decryptOrNull(keys: EncryptionKeys, place: string, value: Buffer): string | null {
  try {
    return unseal(keys, place, value);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
