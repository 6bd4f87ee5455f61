/** Links by which people unsubscribe from daily summaries without a login (RFC 8058): signed, and valid for nothing else. */
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { isSigned, sign } from '../../platform/encryption/signatures.ts';

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
  return `${UNSUBSCRIBE_PATH}?company=${tenantId}&user=${userId}&signature=${sign(key, PURPOSE, [tenantId, userId])}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature */
export function assertUnsubscribeLink(keys: EncryptionKeys, { tenantId, userId }: Subscriber, signature: string): void {
  if (!isSigned(keys, PURPOSE, [tenantId, userId], signature)) throw notFound('The subscription');
}

const PURPOSE = 'links that end summaries';
