/** Checks data that go to a plugin or come from one, by the schema of its manifest. */
import type { Offer } from '../../db/models/plugins.ts';
import type { FieldError } from '../../domain/errors.ts';
import { faultsBy } from '../validation/foreign.ts';

const MOST_CHARACTERS = 50_000;
const MOST_FAULTS = 20;

/** The faults of the data, with pointers into them; without a schema, any object is right. */
export function payloadFaults({ schema }: Pick<Offer, 'schema'>, data: object): FieldError[] {
  if (JSON.stringify(data).length > MOST_CHARACTERS) {
    return [{ pointer: '', code: 'too_long', message: `must have at most ${MOST_CHARACTERS} characters as JSON` }];
  }
  return schema === undefined ? [] : faultsBy(schema, data).slice(0, MOST_FAULTS);
}
