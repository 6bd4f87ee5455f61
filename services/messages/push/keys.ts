/** The key pair that identifies this service to push services (VAPID, RFC 8292): one for all companies and processes. */
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type EncryptionKeys, pushKeyPlace, seal, unseal } from '../../platform/encryption/seal.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * Loads the key pair, generating it on first use. It never changes, because browsers subscribe to it.
 * @throws ServiceError unavailable without an encryption key
 */
export async function loadPushKeys(database: Database, encryptionKeys: EncryptionKeys): Promise<PushKeys> {
  return await database.withSystem(async (trx) => {
    const kept = await findKeys(trx, encryptionKeys);
    if (kept !== null) return kept;
    const { generateVAPIDKeys } = await import('web-push').then(({ default: library }) => library);
    const { publicKey, privateKey } = generateVAPIDKeys();
    const sealed = seal(encryptionKeys, pushKeyPlace(), privateKey);
    await query(
      trx,
      `insert into push_keys (name, public_key, private_key_sealed) values ('vapid', :publicKey, :sealed) on conflict do nothing`,
      { publicKey, sealed },
    );
    return (await findKeys(trx, encryptionKeys)) as PushKeys;
  });
}

async function findKeys(trx: Db, encryptionKeys: EncryptionKeys): Promise<PushKeys | null> {
  const [row] = await query<{ publicKey: string; sealed: Buffer }>(
    trx,
    `select public_key as "publicKey", private_key_sealed as sealed from push_keys`,
    {},
  );
  if (row === undefined) return null;
  return { publicKey: row.publicKey, privateKey: unseal(encryptionKeys, pushKeyPlace(), row.sealed) };
}
