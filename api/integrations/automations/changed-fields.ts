/** Checks the members whose change triggers a rule against the documents that it is about. */

import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import { camelCase } from '../../../domain/words.ts';
import { triggerDocTypes } from '../../../services/integrations/automations/check.ts';
import type { Trigger } from '../../../services/integrations/automations/schemas.ts';
import { documentBody } from '../../trade/documents/answer-schemas.ts';

/** @throws ServiceError validation_failed naming members that no document of the trigger has: the rule could never run */
export function assertChangedFields(trigger: Trigger | undefined): void {
  const faults = trigger === undefined ? [] : changedFieldFaults(trigger);
  if (faults.length > 0) throw validationFailed(faults);
}

function changedFieldFaults(trigger: Trigger): FieldError[] {
  if (trigger.type !== 'document.updated' || trigger.changed_fields === undefined) return [];
  const bodies = triggerDocTypes(trigger).map((docType) => documentBody(docType) as { properties?: object });
  const known = new Set(bodies.flatMap(({ properties = {} }) => Object.keys(properties)));
  return trigger.changed_fields.flatMap((name, index) => {
    if (name.startsWith('custom_') || known.has(camelCase(name))) return [];
    const message = `must be a custom field or one of ${[...known].sort().join(', ')}`;
    return [{ pointer: `/trigger/changed_fields/${index}`, code: 'invalid_choice', message }];
  });
}
