/** Uploads that become attachments: where their content goes, and their names. */
import { ServiceError } from '../../../domain/errors.ts';
import { fileName } from '../../../domain/file-names.ts';
import { sharedObjectStore } from '../../../services/platform/files/objects/store.ts';
import type { AttachmentDeps } from '../../../services/records/attachments/attachments.ts';
import type { Deps } from '../../route.ts';

export const MAX_NAME_LENGTH = 200;

/** Where attachments are stored. */
export function attachmentDeps({ config, database }: Deps): AttachmentDeps {
  const { store, maxBytes } = config.attachments;
  return { database, store: sharedObjectStore(store), maxTotalBytes: maxBytes };
}

/**
 * The name of an uploaded file.
 * @throws ServiceError invalid_parameter when nothing is left of it
 */
export function requestedName(sent = ''): string {
  const found = fileName(sent);
  if (found === '') throw new ServiceError('invalid_parameter', 'name must name the file, unless a form does');
  return found.slice(0, MAX_NAME_LENGTH);
}
