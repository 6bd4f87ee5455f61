/** Links by which a customer sees one version of a quotation and answers it, without a login: signed, and valid for a time. */
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { type Grant, isSigned, sign } from '../../platform/encryption/signatures.ts';
import type { DocumentRow } from '../documents/stored.ts';

/** One version of a quotation, to be seen until a time. */
export interface QuotationLink {
  readonly tenantId: string;
  readonly documentId: string;
  readonly revision: number;
  /** Unix time, in seconds. */
  readonly expires: number;
}

export const LINK_PATH = '/api/quotations';
/** Days for which the link of a quotation without an end is valid. */
const LINK_DAYS = 90;
const DAY_SECONDS = 86_400;

/** The link of a version: valid as long as it is, or for some days if it has no end. */
export function linkFor(
  tenantId: string,
  { id: documentId, revision, expiresAt }: Pick<DocumentRow, 'id' | 'revision' | 'expiresAt'>,
  now: Date,
): QuotationLink {
  const seconds = Math.floor(now.getTime() / 1000);
  // A week longer, so that the page can say that it has expired.
  const end =
    expiresAt === null ? seconds + LINK_DAYS * DAY_SECONDS : Math.floor(Date.parse(expiresAt) / 1000) + 7 * DAY_SECONDS;
  return { tenantId, documentId, revision, expires: end };
}

/** The query of the link, with its signature. @throws ServiceError unavailable without a key */
export function linkQuery([key]: EncryptionKeys, link: QuotationLink): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Links cannot be signed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, documentId, revision, expires } = link;
  const signature = sign(key, PURPOSE, granted(link));
  return `company=${tenantId}&document=${documentId}&revision=${revision}&expires=${expires}&signature=${signature}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature, or its time is over */
export function assertLink(keys: EncryptionKeys, link: QuotationLink, signature: string, now: Date): void {
  const isOver = link.expires * 1000 <= now.getTime();
  if (isOver || !isSigned(keys, PURPOSE, granted(link), signature)) throw notFound('The quotation');
}

const PURPOSE = 'links to quotations';

function granted({ tenantId, documentId, revision, expires }: QuotationLink): Grant {
  return [tenantId, documentId, revision, expires];
}
