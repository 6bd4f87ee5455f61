/** Actions on the document that a rule runs for, through the same services as requests. */

import { invalidMember } from '../../../../domain/errors.ts';
import { DOC_TYPE_NAMES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { camelCase } from '../../../../domain/words.ts';
import { bodyValidator } from '../../../platform/validation/validate.ts';
import { type DocumentPatch, documentPatch } from '../../../trade/documents/schemas.ts';
import { cancelDocument } from '../../../trade/lifecycle/cancel.ts';
import { lockDocument } from '../../../trade/lifecycle/lock.ts';
import { updateDocument } from '../../../trade/lifecycle/update/update.ts';
import type { Subject } from '../subject.ts';
import type { WritingAction } from './action.ts';

/** Validators by type of document, compiled on first use. */
const validators = new Map<DocType, (body: unknown) => void>();

export const cancelAction: WritingAction<'document.cancel'> = {
  needs: (subject) => [`${documentResource(subject)}:update`],

  async write(trx, ctx, { subject }) {
    const { id, status } = await cancelDocument(trx, ctx, requireDocument(subject).id, { ifMatch: null });
    return { document_id: id, status };
  },
};

export const lockAction: WritingAction<'document.lock'> = {
  needs: () => ['document_locks:update'],

  async write(trx, ctx, { action, subject }) {
    const { id, docType } = requireDocument(subject);
    const { document_type: wanted, when = 'now' } = action;
    // A rule about documents of all types may lock those of one.
    if (wanted !== undefined && DOC_TYPE_NAMES[wanted] !== docType) return { document_id: id, locked_at: null };
    const { lockedAt, lockDueAt } = await lockDocument(trx, ctx, id, when, { ifMatch: null });
    return { document_id: id, locked_at: lockedAt, lock_due_at: lockDueAt };
  },
};

export const updateField: WritingAction<'document.update_field'> = {
  needs: (subject) => [`${documentResource(subject)}:update`],

  async write(trx, ctx, { action, subject }) {
    const { id, docType } = requireDocument(subject);
    const field = action.field.startsWith('custom_') ? action.field : camelCase(action.field);
    const patch = { [field]: action.value } as DocumentPatch;
    patchValidator(docType)(patch);
    await updateDocument(trx, ctx, id, patch, { ifMatch: null });
    return { document_id: id, field };
  },
};

function patchValidator(docType: DocType): (body: unknown) => void {
  const known = validators.get(docType) ?? bodyValidator(documentPatch(docType), 'change');
  validators.set(docType, known);
  return known;
}

function documentResource(subject: Subject) {
  return DOCUMENT_TYPES[requireDocument(subject).docType].resource;
}

/** @throws ServiceError for a payment without a document */
export function requireDocument({ document }: Subject): { readonly id: string; readonly docType: DocType } {
  if (document === undefined)
    throw invalidMember('/type', 'not_applicable', 'cannot be done because there is no document');
  return document as unknown as { readonly id: string; readonly docType: DocType };
}
