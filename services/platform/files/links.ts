/** Links to files that need no token: signed, and valid for a limited time. */
import { notFound } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';
import { type Grant, isSigned, sign } from '../encryption/signatures.ts';

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
  return `/api/files/${fileId}?company=${tenantId}&expires=${expires}&signature=${sign(key, PURPOSE, granted(link))}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature, or it has expired */
export function assertLink(keys: EncryptionKeys, link: FileLink & { readonly signature: string }, now: Date): void {
  const isValid = isSigned(keys, PURPOSE, granted(link), link.signature);
  if (!isValid || link.expires * 1000 <= now.getTime()) throw notFound('The file');
}

const PURPOSE = 'links to files';

function granted({ tenantId, fileId, expires }: FileLink): Grant {
  return [tenantId, fileId, expires];
}
