/**
 * The token of an invitation, derived from the mail's id and a secret of the service. It is stored nowhere, and a mail that is rendered
 * again after a crash holds the same token.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';

const PREFIX = 'inv_';

/**
 * @param key the service's ENCRYPTION_KEY
 * @throws ServiceError unavailable without a key
 */
export function invitationToken(key: string | undefined, mailId: string): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Invitations cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'invitation-tokens', 32));
  return PREFIX + createHmac('sha256', derived).update(mailId).digest('base64url');
}
