/** Signs what a link grants, so that it needs no login. Each purpose has a key of its own, derived from the service's. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { EncryptionKeys } from './seal.ts';

/** Purposes of signatures: one that was made for another is not valid. Changing a text ends all its links. */
export type Purpose =
  | 'links to files'
  | 'links to payslips'
  | 'links that end summaries'
  | 'links to answer'
  | 'links to quotations'
  | 'links of customers';

/** The ids and times that a link grants, in a fixed order. */
export type Grant = readonly (string | number)[];

/** Signs a grant with a key of the service. */
export function sign(key: string, purpose: Purpose, grant: Grant): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  return createHmac('sha256', secret).update(grant.join(' ')).digest('hex');
}

/** Whether one of the keys has signed a grant; compares in constant time. */
export function isSigned(keys: EncryptionKeys, purpose: Purpose, grant: Grant, signature: string): boolean {
  const given = Buffer.from(signature);
  return keys.some((key) => {
    const expected = Buffer.from(sign(key, purpose, grant));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
