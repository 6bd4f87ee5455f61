/**
 * Tokens in mails, derived from the mail's id and a secret of the service. They are not stored, and a mail that is written again after a
 * crash contains the same token.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { ServiceError } from '../../../domain/errors.ts';

/** Salts by prefix, so that a token of one kind is never valid as another. */
const SALTS: Readonly<Record<string, string>> = { inv_: 'invitation-tokens', pwd_: 'password-reset-tokens' };

/**
 * Derives the token of a mail.
 * @param key the service's ENCRYPTION_KEY
 * @throws ServiceError unavailable without a key
 */
export function mailToken(key: string | undefined, prefix: 'inv_' | 'pwd_', mailId: string): string {
  if (key === undefined) {
    throw new ServiceError(
      'unavailable',
      'Tokens cannot be mailed because ENCRYPTION_KEY is not set; start the service with it',
    );
  }
  const derived = Buffer.from(hkdfSync('sha256', key, '', String(SALTS[prefix]), 32));
  return prefix + createHmac('sha256', derived).update(mailId).digest('base64url');
}
