/**
 * The token of an invitation's mail follows from the mail's id and a secret of the service. So it stands nowhere but in the mail, and a
 * mail that is written twice, since a process died, holds the same.
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
