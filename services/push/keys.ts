/** The key pair by which push services know this service (VAPID, RFC 8292): one for all companies and processes. */
import type { Database, Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { type EncryptionKeys, pushKeyPlace, seal, unseal } from '../encryption/seal.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The key pair, made when it is first wanted. A pair once made stays: browsers subscribe to it.
 * @throws ServiceError unavailable without an encryption key
 */
export async function pushKeys(database: Database, encryptionKeys: EncryptionKeys): Promise<PushKeys> {
  return await database.withSystem(async (trx) => {
    const kept = await keptKeys(trx, encryptionKeys);
    if (kept !== null) return kept;
    const { generateVAPIDKeys } = await import('web-push').then(({ default: library }) => library);
    const { publicKey, privateKey } = generateVAPIDKeys();
    const sealed = seal(encryptionKeys, pushKeyPlace(), privateKey);
    await query(
      trx,
      `insert into push_keys (name, public_key, private_key_sealed) values ('vapid', :publicKey, :sealed) on conflict do nothing`,
      { publicKey, sealed },
    );
    return (await keptKeys(trx, encryptionKeys)) as PushKeys;
  });
}

async function keptKeys(trx: Db, encryptionKeys: EncryptionKeys): Promise<PushKeys | null> {
  const [row] = await query<{ publicKey: string; sealed: Buffer }>(
    trx,
    `select public_key as "publicKey", private_key_sealed as sealed from push_keys`,
    {},
  );
  if (row === undefined) return null;
  return { publicKey: row.publicKey, privateKey: unseal(encryptionKeys, pushKeyPlace(), row.sealed) };
}
