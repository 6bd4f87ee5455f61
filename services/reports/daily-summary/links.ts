/** Links by which people unsubscribe from daily summaries without a login (RFC 8058): signed, and valid for nothing else. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';

/** User and company of a subscription to daily summaries. */
export interface Subscriber {
  readonly tenantId: string;
  readonly userId: string;
}

export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';

/** Builds the address, relative to the service. @throws ServiceError unavailable without a key */
export function unsubscribeLink([key]: EncryptionKeys, subscriber: Subscriber): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Summaries cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, userId } = subscriber;
  return `${UNSUBSCRIBE_PATH}?company=${tenantId}&user=${userId}&signature=${signLink(key, subscriber)}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature */
export function assertUnsubscribeLink(keys: EncryptionKeys, subscriber: Subscriber, signature: string): void {
  const given = Buffer.from(signature);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signLink(key, subscriber));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isSigned) throw notFound('The subscription');
}

function signLink(key: string, { tenantId, userId }: Subscriber): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'links that end summaries', 32));
  return createHmac('sha256', secret).update(`${tenantId} ${userId}`).digest('hex');
}
