/** Checks data to or from a plugin against the schema in its manifest. */
import type { Offer } from '../../../db/models/integrations/plugins.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { faultsBy } from '../../platform/validation/foreign.ts';

const MAX_CHARACTERS = 50_000;
const MAX_FAULTS = 20;

/** Finds the faults of the data, with pointers; without a schema, any object is valid. */
export function payloadFaults({ schema }: Pick<Offer, 'schema'>, data: object): FieldError[] {
  if (JSON.stringify(data).length > MAX_CHARACTERS) {
    return [{ pointer: '', code: 'too_long', message: `must have at most ${MAX_CHARACTERS} characters as JSON` }];
  }
  return schema === undefined ? [] : faultsBy(schema, data).slice(0, MAX_FAULTS);
}
