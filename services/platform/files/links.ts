/** Links to files that need no token: signed, and valid for a limited time. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { notFound } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';

/** The grant of a link: access to one file of one company until it expires. */
export interface FileLink {
  readonly tenantId: string;
  readonly fileId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Builds the address of a file, relative to the service. @param keys the first one signs */
export function linkTo(keys: EncryptionKeys, link: FileLink): string | null {
  const [key] = keys;
  if (key === undefined) return null;
  const { tenantId, fileId, expires } = link;
  return `/api/files/${fileId}?company=${tenantId}&expires=${expires}&signature=${signLink(key, link)}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature, or it has expired */
export function assertLink(keys: EncryptionKeys, link: FileLink & { readonly signature: string }, now: Date): void {
  const given = Buffer.from(link.signature);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signLink(key, link));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isSigned || link.expires * 1000 <= now.getTime()) throw notFound('The file');
}

function signLink(key: string, { tenantId, fileId, expires }: FileLink): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'links to files', 32));
  return createHmac('sha256', secret).update(`${tenantId} ${fileId} ${expires}`).digest('hex');
}
