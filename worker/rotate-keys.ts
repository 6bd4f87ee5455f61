/** `npm run rotate-keys`: re-encrypts with ENCRYPTION_KEY what was encrypted with ENCRYPTION_KEY_PREVIOUS. */
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { Database } from '../db/database.ts';
import { rotateKeys } from '../services/platform/encryption/rotate.ts';
import { configuredKeys } from '../services/platform/encryption/seal.ts';

/** Maximum listed values that cannot be decrypted. */
const SHOWN = 20;

try {
  const config = loadConfig(withLocalService(process.env));
  const keys = configuredKeys(config);
  const { directUrl: url } = config.database;
  if (url === undefined) throw new Error('No database: start the service on this machine, or give DATABASE_URL');
  if (keys.length === 0) throw new Error('ENCRYPTION_KEY must be set to the new key');
  const database = new Database({ url, poolSize: 1, applicationName: 'rotate-keys' });
  try {
    for (const { name, sealed, changed, unopened } of await rotateKeys(database, keys)) {
      const meanwhile = changed > 0 ? `, ${changed} changed meanwhile` : '';
      console.log(`${name}: ${sealed} sealed anew${meanwhile}, ${unopened.length} cannot be opened`);
      for (const value of unopened.slice(0, SHOWN)) console.log(`    ${value}`);
      if (unopened.length > 0) process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
