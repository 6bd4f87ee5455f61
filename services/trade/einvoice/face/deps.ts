/** Everything that sending invoices to public bodies needs. */
import type { FaceConfig } from '../../../../config/face.ts';
import type { EncryptionKeys } from '../../../platform/encryption/seal.ts';
import type { AttachmentDeps } from '../../../records/attachments/attachments.ts';

export interface FaceDeps extends AttachmentDeps {
  readonly config: FaceConfig;
  readonly encryptionKeys: EncryptionKeys;
  readonly now: () => Date;
}
