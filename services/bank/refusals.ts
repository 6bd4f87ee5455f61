/** Refusals of services that statement lines use, with pointers into the client's body. */
import { ServiceError, validationFailed } from '../../domain/errors.ts';

/** The same refusal with other pointers. */
export function repointed(error: ServiceError, place: (pointer: string) => string): ServiceError {
  const errors = error.errors.map(({ pointer, ...fault }) => ({ pointer: place(pointer), ...fault }));
  if (error.code === 'validation_failed') return validationFailed(errors);
  return new ServiceError(error.code, error.message, { errors, uses: error.uses, cause: error });
}

/**
 * A refusal about one element of an array: prefixes its pointers; one without pointers points at `own`.
 * @param at the element, e.g. /lines/3
 * @param own the member that a refusal without pointers is about, e.g. /line_id
 */
export function placedAt(error: ServiceError, at: string, own: string): ServiceError {
  const known =
    error.errors.length > 0
      ? error
      : new ServiceError(error.code, error.message, {
          errors: [{ pointer: own, code: error.code, message: error.message }],
          uses: error.uses,
          cause: error,
        });
  return repointed(known, (pointer) => at + pointer);
}
