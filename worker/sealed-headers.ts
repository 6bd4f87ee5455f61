/** Encrypts the headers that version 1.0.0 stored in plain text, once the worker has started. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { sealPlainHeaders } from '../services/integrations/webhooks/seal-headers.ts';
import type { EncryptionKeys } from '../services/platform/encryption/seal.ts';

const RETRY_MS = 60_000;

/** Tries until it succeeds; without a key it leaves them as they are. */
export async function keepHeadersSealed(deps: {
  readonly database: Database;
  readonly keys: EncryptionKeys;
  readonly logger: Logger;
  readonly stop: AbortSignal;
}): Promise<void> {
  const { database, keys, logger, stop } = deps;
  while (keys.length > 0 && !stop.aborted) {
    try {
      const rows = await sealPlainHeaders(database, keys);
      if (rows > 0) logger.info({ rows }, 'Headers of webhooks and automations were sealed');
      return;
    } catch (error) {
      logger.warn({ error: String(error) }, 'Headers of webhooks and automations could not be sealed yet');
      await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
