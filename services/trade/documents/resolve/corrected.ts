/** The document that a return or rectifying invoice corrects, and its lines. */

import type { Faults } from '../../../../domain/faults.ts';
import { type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_STATUS, type DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type { BaseDocument, References } from './references.ts';
import { checkMethod, substitutes, withWholeLines } from './substitution.ts';

/** The id of the corrected document; undefined for all others. */
export function correctedId({ rectifies, returns }: DocumentInput): string | undefined {
  return rectifies ?? returns;
}

/**
 * Bases the lines of a rectifying invoice on those of the invoice that it corrects, if they take back the same items.
 */
export function withCorrectedLines(input: DocumentInput, { bases }: References): DocumentInput {
  const { rectifies } = input;
  const corrected = rectifies === undefined ? undefined : bases.get(rectifies);
  if (rectifies === undefined || !corrected) return input;
  const items = new Set(corrected.lines.map(({ itemId }) => itemId));
  const takenBack = (line: DocumentLineInput) =>
    line.baseLineId !== undefined || (line.quantity < 0 && line.itemId !== undefined && items.has(line.itemId));
  const lines = input.lines.map((line) =>
    line.baseId === undefined && takenBack(line) ? { ...line, baseId: rectifies } : line,
  );
  return { ...input, lines: substitutes(input) ? withWholeLines(lines, corrected) : lines };
}

/**
 * Checks that the corrected document is a posted invoice, or a note that is not cancelled, of the same partner. A
 * document that takes back cannot itself be taken back.
 */
export function checkCorrected(
  type: DocumentTypeInfo,
  input: DocumentInput,
  rectifying: boolean,
  references: References,
  faults: Faults,
): void {
  if (input.returnStock === true && !rectifying) {
    faults.add('/returnStock', 'not_applicable', 'is allowed only for rectifying invoices');
  }
  if (input.rectificationType !== undefined && !rectifying) {
    faults.add('/rectificationType', 'not_applicable', 'is allowed only for rectifying invoices');
  }
  if (input.rectificationMethod !== undefined && !rectifying) {
    faults.add('/rectificationMethod', 'not_applicable', 'is allowed only for rectifying invoices');
  }
  const id = correctedId(input);
  checkMethod(input, references, faults);
  if (id === undefined) return;
  const pointer = input.rectifies === undefined ? '/returns' : '/rectifies';
  const corrected = references.bases.get(id);
  const fault = corrected === undefined ? MISSING : correctedFault(type, input, corrected);
  if (fault) faults.add(pointer, fault.code, fault.message);
  else if (corrected && references.date < corrected.date) {
    faults.add('/date', 'out_of_range', `must not be before the date of ${corrected.code}, ${corrected.date}`);
  }
}

const MISSING = { code: 'invalid_reference', message: 'refers to a document that does not exist' };

function correctedFault(type: DocumentTypeInfo, input: DocumentInput, corrected: BaseDocument) {
  const { docType, partnerId, status, code } = corrected;
  if (docType !== type.code) return { code: 'wrong_type', message: `refers to a ${docType}, not a ${type.code}` };
  if (partnerId !== input.partnerId) {
    return { code: 'wrong_partner', message: 'refers to a document of another partner' };
  }
  if (status === DOCUMENT_STATUS.cancelled)
    return { code: 'cancelled', message: `refers to ${code ?? 'a draft'}, which is cancelled` };
  if (status === DOCUMENT_STATUS.draft)
    return { code: 'not_posted', message: 'refers to a draft; change or delete that instead' };
  if (corrected.takesBack) return { code: 'wrong_type', message: `${code} takes back itself; cancel it instead` };
  return undefined;
}

/** Checks the sign of a quantity: negative in lines that take back, positive in all others. */
export function checkSign({ quantity, baseId }: DocumentLineInput, pointer: string, step: Step, faults: Faults): void {
  const at = `${pointer}/quantity`;
  if (quantity === 0) faults.add(at, 'out_of_range', 'must not be zero');
  else if (takesBack(step)) {
    if (quantity > 0 && baseId !== undefined)
      faults.add(at, 'out_of_range', 'must be less than zero because the line takes back');
  } else if (quantity < 0) {
    faults.add(at, 'out_of_range', 'must be greater than zero because only returns and rectifying invoices take back');
  }
}
