/** Checks the members whose change triggers a rule against the records that it is about. */

import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import { camelCase } from '../../../domain/words.ts';
import { ruleSubject, triggerDocTypes } from '../../../services/integrations/automations/check.ts';
import type { Trigger } from '../../../services/integrations/automations/schemas.ts';
import { items } from '../../../services/records/master-data/items.ts';
import { partners } from '../../../services/records/master-data/partners.ts';
import { prices } from '../../../services/records/master-data/prices.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { documentBody } from '../../trade/documents/answer-schemas.ts';

/** @throws ServiceError validation_failed naming members that no record of the trigger has: the rule could never run */
export function assertChangedFields(trigger: Trigger | undefined): void {
  const faults = trigger === undefined ? [] : changedFieldFaults(trigger);
  if (faults.length > 0) throw validationFailed(faults);
}

function changedFieldFaults(trigger: Trigger): FieldError[] {
  if (!('changed_fields' in trigger) || trigger.changed_fields === undefined) return [];
  const known = new Set(answersAbout(trigger).flatMap(({ properties = {} }) => Object.keys(properties)));
  return trigger.changed_fields.flatMap((name, index) => {
    if (name.startsWith('custom_') || known.has(camelCase(name))) return [];
    const message = `must be a custom field or one of ${[...known].sort().join(', ')}`;
    return [{ pointer: `/trigger/changed_fields/${index}`, code: 'invalid_choice', message }];
  });
}

const WATCHED = { partner: partners, item: items, price: prices } as const;

/** The answers with the records that a trigger is about. */
function answersAbout(trigger: Trigger): { readonly properties?: object }[] {
  const subject = ruleSubject(trigger);
  if (subject === 'partner' || subject === 'item' || subject === 'price') return [answerSchema(WATCHED[subject])];
  return triggerDocTypes(trigger).map((docType) => documentBody(docType));
}
