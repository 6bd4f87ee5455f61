/** Adapts refusals of other services to point into the client's body. */
import { ServiceError, validationFailed } from '../../../domain/errors.ts';

/** Copies a refusal with translated pointers. */
export function translatePointers(error: ServiceError, place: (pointer: string) => string): ServiceError {
  const errors = error.errors.map(({ pointer, ...fault }) => ({ pointer: place(pointer), ...fault }));
  if (error.code === 'validation_failed') return validationFailed(errors);
  return new ServiceError(error.code, error.message, { errors, uses: error.uses, cause: error });
}

/**
 * Adapts a refusal about one element of an array: prefixes its pointers, or adds one to `own` if it has none.
 * @param at the element, e.g. /lines/3
 * @param own member for a refusal without pointers, e.g. /line_id
 */
export function prefixPointers(error: ServiceError, at: string, own: string): ServiceError {
  const known =
    error.errors.length > 0
      ? error
      : new ServiceError(error.code, error.message, {
          errors: [{ pointer: own, code: error.code, message: error.message }],
          uses: error.uses,
          cause: error,
        });
  return translatePointers(known, (pointer) => at + pointer);
}
