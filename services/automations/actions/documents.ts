/** What rules do with the document that they run for, through the same services as requests. */
import { DOC_TYPE_NAMES, DOCUMENT_TYPES, type DocType } from '../../../domain/documents/types.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { camelCase } from '../../../domain/words.ts';
import { type DocumentPatch, documentPatch } from '../../documents/schemas.ts';
import { cancelDocument } from '../../trade/cancel.ts';
import { lockDocument } from '../../trade/lock.ts';
import { updateDocument } from '../../trade/update/update.ts';
import { bodyValidator } from '../../validation/validate.ts';
import type { Subject } from '../subject.ts';
import type { WritingAction } from './action.ts';

/** By type of document, compiled when first needed. */
const validators = new Map<DocType, (body: unknown) => void>();

export const cancelIt: WritingAction<'document.cancel'> = {
  needs: (subject) => [`${resourceOf(subject)}:update`],

  async write(trx, ctx, { subject }) {
    const { id, status } = await cancelDocument(trx, ctx, documentOf(subject).id, { ifMatch: null });
    return { document_id: id, status };
  },
};

export const lockIt: WritingAction<'document.lock'> = {
  needs: () => ['document_locks:update'],

  async write(trx, ctx, { action, subject }) {
    const { id, docType } = documentOf(subject);
    const { document_type: wanted, when = 'now' } = action;
    // A rule about documents of all types may lock those of one.
    if (wanted !== undefined && DOC_TYPE_NAMES[wanted] !== docType) return { document_id: id, locked_at: null };
    const { lockedAt, lockDueAt } = await lockDocument(trx, ctx, id, when, { ifMatch: null });
    return { document_id: id, locked_at: lockedAt, lock_due_at: lockDueAt };
  },
};

export const updateField: WritingAction<'document.update_field'> = {
  needs: (subject) => [`${resourceOf(subject)}:update`],

  async write(trx, ctx, { action, subject }) {
    const { id, docType } = documentOf(subject);
    const field = action.field.startsWith('custom_') ? action.field : camelCase(action.field);
    const patch = { [field]: action.value } as DocumentPatch;
    validatorOf(docType)(patch);
    await updateDocument(trx, ctx, id, patch, { ifMatch: null });
    return { document_id: id, field };
  },
};

function validatorOf(docType: DocType): (body: unknown) => void {
  const known = validators.get(docType) ?? bodyValidator(documentPatch(docType), 'change');
  validators.set(docType, known);
  return known;
}

function resourceOf(subject: Subject) {
  return DOCUMENT_TYPES[documentOf(subject).docType].resource;
}

/** @throws ServiceError for a payment without a document */
export function documentOf({ document }: Subject): { readonly id: string; readonly docType: DocType } {
  if (document === undefined)
    throw invalidMember('/type', 'not_applicable', 'cannot be done because there is no document');
  return document as unknown as { readonly id: string; readonly docType: DocType };
}
