/** Links by which one person answers one approval without a login: signed, and valid until its deadline. */
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { type Grant, isSigned, sign } from '../../platform/encryption/signatures.ts';

/** Who may answer which approval. */
export interface AnswerLink {
  readonly tenantId: string;
  readonly toDoId: string;
  readonly userId: string;
}

export const ANSWER_PATH = '/api/to-dos/answer';

/** Builds the address, relative to the service. @throws ServiceError unavailable without a key */
export function answerLink([key]: EncryptionKeys, link: AnswerLink): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Approvals cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, toDoId, userId } = link;
  const signature = sign(key, PURPOSE, granted(link));
  return `${ANSWER_PATH}?company=${tenantId}&to_do=${toDoId}&user=${userId}&signature=${signature}`;
}

/** Checks a link. @throws ServiceError not_found if no key produces its signature */
export function assertAnswerLink(keys: EncryptionKeys, link: AnswerLink, signature: string): void {
  if (!isSigned(keys, PURPOSE, granted(link), signature)) throw notFound('The approval');
}

const PURPOSE = 'links to answer';

function granted({ tenantId, toDoId, userId }: AnswerLink): Grant {
  return [tenantId, toDoId, userId];
}
