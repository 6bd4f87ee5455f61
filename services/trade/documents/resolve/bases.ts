/** Checks the documents on which lines are based. Quantities are checked line by line (line.ts). */

import { ServiceError } from '../../../../domain/errors.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { isAllowed } from '../../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_STATUS, type DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import { overTakenCode } from './base-lines.ts';
import { correctedId } from './corrected.ts';
import type { BaseDocument, References } from './references.ts';

/** Checks that bases exist, have a suitable type and status, and belong to the same partner. */
export function checkBases(
  type: DocumentTypeInfo,
  step: Step,
  input: DocumentInput,
  references: References,
  faults: Faults,
): void {
  input.lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    if (line.baseId === undefined) {
      if (line.baseType !== undefined || line.baseLineId !== undefined) {
        faults.add(`${pointer}/baseId`, 'required', 'is required with baseType and baseLineId');
      }
      return;
    }
    const base = references.bases.get(line.baseId);
    const fault = base === undefined ? MISSING_BASE : baseFault(type, step, input, line, base);
    if (fault) faults.add(`${pointer}/${fault.member}`, fault.code, fault.message);
    else if (base && !takesBack(step)) checkOpen(step, base, pointer);
  });
}

const MISSING_BASE = {
  member: 'baseId',
  code: 'invalid_reference',
  message: 'refers to a document that does not exist',
};

function baseFault(
  type: DocumentTypeInfo,
  step: Step,
  input: DocumentInput,
  line: DocumentLineInput,
  base: BaseDocument,
) {
  if (takesBack(step)) {
    if (base.id === correctedId(input)) return undefined; // The corrected document is checked separately.
    const message = 'must refer to the document that is taken back';
    return { member: 'baseId', code: 'wrong_base', message };
  }
  if (!type.bases.includes(base.docType)) {
    const allowed =
      type.bases.length > 0 ? `can be based on ${type.bases.join(' or ')}` : 'cannot be based on anything';
    const message = `refers to a ${base.docType}; a line of a ${type.code} ${allowed}`;
    return { member: 'baseId', code: 'wrong_type', message };
  }
  if (line.baseType !== undefined && line.baseType !== base.docType) {
    return { member: 'baseType', code: 'wrong_type', message: `the base is a ${base.docType}` };
  }
  if (base.partnerId !== input.partnerId) {
    return { member: 'baseId', code: 'wrong_partner', message: 'refers to a document of another partner' };
  }
  if (base.status === DOCUMENT_STATUS.cancelled) {
    return { member: 'baseId', code: 'cancelled', message: `refers to ${base.code}, which is cancelled` };
  }
  return undefined;
}

/** @throws ServiceError over_delivery, over_invoicing if the status of the base means that nothing is open */
function checkOpen(step: Step, base: BaseDocument, pointer: string): void {
  if (isAllowed(base.docType, base.status, step) && !base.takesBack) return;
  const code = overTakenCode(step);
  throw new ServiceError(code, `${base.code} has nothing open any more`, {
    errors: [{ pointer: `${pointer}/baseId`, code, message: `${base.code} has no open quantity` }],
  });
}

/** The corrected document, or otherwise the first base of a line. */
export function firstBase(input: DocumentInput, { bases }: References): BaseDocument | undefined {
  const corrected = bases.get(correctedId(input) ?? '');
  if (corrected) return corrected;
  return input.lines
    .map((line) => (line.baseId === undefined ? undefined : bases.get(line.baseId)))
    .find((base) => base !== undefined);
}
