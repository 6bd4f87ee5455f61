/** Validates by schemas written by customers, which `domain/integrations/plugins/json-schemas.ts` has checked. */
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isUuid } from '../../../db/ids.ts';
import { isInstant } from '../../../db/queries/list-values.ts';
import { isDay } from '../../../domain/days.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { toFieldErrors } from './faults.ts';

/** Lists the faults of a value. Compiles the schema each time: a cached validator would keep every schema in memory. */
export function faultsBy(schema: Readonly<Record<string, unknown>>, value: unknown): FieldError[] {
  const ajv = new Ajv({ allErrors: true, strict: false, meta: false, validateSchema: false });
  addFormats.default(ajv, ['email']);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date', isDay);
  ajv.addFormat('date-time', isInstant);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : toFieldErrors(validate.errors ?? []);
}
