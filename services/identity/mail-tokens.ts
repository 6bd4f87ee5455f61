/**
 * Tokens of mails, derived from the mail's id and a secret of the service. They are stored nowhere, and a mail that is made again after a
 * crash holds the same token.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';

/** By the prefix of the token, so that no token of one kind is one of another. */
const SALTS: Readonly<Record<string, string>> = { inv_: 'invitation-tokens', pwd_: 'password-reset-tokens' };

/**
 * @param key the service's ENCRYPTION_KEY
 * @throws ServiceError unavailable without a key
 */
export function mailToken(key: string | undefined, prefix: 'inv_' | 'pwd_', mailId: string): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Tokens cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const derived = Buffer.from(hkdfSync('sha256', key, '', String(SALTS[prefix]), 32));
  return prefix + createHmac('sha256', derived).update(mailId).digest('base64url');
}
