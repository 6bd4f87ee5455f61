/** Refuses bodies of a shape that only attacks have, before anything looks at them member by member. */
import { type FieldError, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { below, MAX_DEPTH } from './text.ts';

/** Members of one object: one with 60,000 takes a fifth of a second, mostly to be copied and compared. */
const MAX_MEMBERS = 1000;
/** Characters of a member's name: a fault repeats it in its pointer. */
const MAX_NAME = 500;

/** Refuses too many levels, members of one object and characters of a name. @throws ServiceError validation_failed, malformed_json */
export function assertShape(body: unknown): void {
  const fault = faultIn(body, 0);
  if (fault !== undefined) throw validationFailed([fault]);
}

function faultIn(value: unknown, depth: number): FieldError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return refuse('too_deep', `is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], depth + 1);
      if (fault !== undefined) return below(index, fault);
    }
    return undefined;
  }
  const names = Object.keys(value);
  if (names.length > MAX_MEMBERS) return refuse('too_many', `must have at most ${MAX_MEMBERS} members`);
  for (const name of names) {
    if (name.length > MAX_NAME)
      return refuse('too_long', `must have no member whose name is longer than ${MAX_NAME} characters`);
    // Whoever copies it may set the prototype.
    if (name === '__proto__') throw new ServiceError('malformed_json', 'A body must have no member __proto__');
    const fault = faultIn((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== undefined) return below(name, fault);
  }
  return undefined;
}

function refuse(code: string, message: string): FieldError {
  return { pointer: '', code, message };
}
