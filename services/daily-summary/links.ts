/** Links by which people end their daily summaries without a login (RFC 8058): signed, and good for nothing else. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError } from '../../domain/errors.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';

/** Whose summaries, and of which company. */
export interface Subscriber {
  readonly tenantId: string;
  readonly userId: string;
}

export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';

/** The address, relative to the service. @throws ServiceError unavailable without a key */
export function unsubscribeLink([key]: EncryptionKeys, subscriber: Subscriber): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Summaries cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, userId } = subscriber;
  return `${UNSUBSCRIBE_PATH}?company=${tenantId}&user=${userId}&signature=${signatureOf(key, subscriber)}`;
}

/** @throws ServiceError not_found when no key has signed it so */
export function assertUnsubscribeLink(keys: EncryptionKeys, subscriber: Subscriber, signature: string): void {
  const given = Buffer.from(signature);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, subscriber));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isSigned) throw notFound('The subscription');
}

function signatureOf(key: string, { tenantId, userId }: Subscriber): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'links that end summaries', 32));
  return createHmac('sha256', secret).update(`${tenantId} ${userId}`).digest('hex');
}
