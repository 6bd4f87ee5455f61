/** Templates of recurring documents: where they come from, and whether they can be used. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { unknownName } from '../../../domain/contracts/recurring/texts.ts';
import { asBodyFault, invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { prefixPointers } from '../../platform/validation/refusals.ts';
import type { Checked, Template } from './kind.ts';
import { recurringKind } from './kinds.ts';
import type { RecurringInput } from './schemas.ts';

/** Members with texts, which may speak of the period. */
export const TEXTS = ['description', 'notes', 'internalNotes', 'reference', 'supplierReference'] as const;

/** The template that was sent, or that of the record that was named. @throws ServiceError validation_failed, not_found */
export async function givenTemplate(trx: Db, ctx: Context, input: RecurringInput): Promise<Template> {
  const { template, from_document_id: from, document_type: type } = input;
  if (template != null && from != null) {
    throw invalidMember('/from_document_id', 'not_allowed', 'cannot be given together with template');
  }
  if (from == null) {
    if (template == null) throw invalidMember('/template', 'required', 'is required unless from_document_id is given');
    return template;
  }
  try {
    return await recurringKind(type).from(trx, ctx, from);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code !== 'not_found') throw prefixPointers(error, '', '/from_document_id');
    throw invalidMember('/from_document_id', 'invalid_reference', `must name a record of the type ${type}`);
  }
}

/** Checks a template and completes it. @throws ServiceError validation_failed, with pointers into the template */
export async function checkedTemplate(
  trx: Db,
  ctx: Context,
  { documentType, price }: Pick<RecurringDocument, 'documentType' | 'price'>,
  given: Template,
): Promise<Checked> {
  let checked: Checked;
  try {
    checked = await recurringKind(documentType).check(trx, ctx, given, price);
  } catch (error) {
    const fault = asBodyFault(error);
    throw fault instanceof ServiceError ? prefixPointers(fault, '/template', '') : fault;
  }
  checkNames(checked.template);
  return checked;
}

function checkNames(template: Template): void {
  const faults = new Faults();
  const lines = (template.lines ?? []) as readonly Template[];
  const places = [
    ['/template', template] as const,
    ...lines.map((line, at) => [`/template/lines/${at}`, line] as const),
  ];
  for (const [pointer, holder] of places) {
    for (const member of TEXTS) {
      const name = typeof holder[member] === 'string' ? unknownName(holder[member]) : undefined;
      if (name !== undefined) {
        const message = `contains {{ ${name.slice(0, 60)} }}, which stands for nothing`;
        faults.add(`${pointer}/${member}`, 'unknown_name', message);
      }
    }
  }
  faults.throwIfAny();
}
