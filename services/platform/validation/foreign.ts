/** Validates by schemas that customers wrote. They have passed `domain/integrations/plugins/json-schemas.ts`. */
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isUuid } from '../../../db/ids.ts';
import { isInstant } from '../../../db/queries/list-values.ts';
import { isDay } from '../../../domain/days.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { toFieldErrors } from './faults.ts';

/** The faults of a value. Compiled for this once: a validator that is kept keeps every schema that it has seen. */
export function faultsBy(schema: Readonly<Record<string, unknown>>, value: unknown): FieldError[] {
  const ajv = new Ajv({ allErrors: true, strict: false, meta: false, validateSchema: false });
  addFormats.default(ajv, ['email']);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date', isDay);
  ajv.addFormat('date-time', isInstant);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : toFieldErrors(validate.errors ?? []);
}
