/**
 * References to responses of earlier operations in a transaction: `{"$ref": "so.data.id"}` in bodies, `{so.data.id}` in
 * paths.
 */
import { invalidMember } from '../../../domain/errors.ts';
import { pointerStep } from '../../../services/platform/validation/text.ts';

/** Response bodies so far, by operation id. */
export type Answers = ReadonlyMap<string, unknown>;

/** Replaces every reference in a body with its value. @throws ServiceError validation_failed at the reference */
export function resolveBody(value: unknown, answers: Answers, pointer: string): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => resolveBody(entry, answers, `${pointer}/${index}`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === '$ref') return lookUp(entries[0][1], answers, `${pointer}/$ref`);
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, resolveBody(entry, answers, pointer + pointerStep(name))]),
  );
}

/** Replaces every reference in a path. @throws ServiceError validation_failed */
export function resolvePath(path: string, answers: Answers, pointer: string): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (_, reference: string) => {
    const value = lookUp(reference, answers, pointer);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw invalidMember(pointer, 'invalid_reference', `${reference} must refer to a text or number`);
    }
    return encodeURIComponent(value);
  });
}

/** Follows a reference step by step, through own members only. */
function lookUp(reference: unknown, answers: Answers, pointer: string): unknown {
  const refuse = (message: string) => invalidMember(pointer, 'invalid_reference', message);
  if (typeof reference !== 'string') throw refuse('must be a text such as so.data.id');
  const [operation = '', ...steps] = reference.split('.');
  if (!answers.has(operation)) throw refuse(`${reference}: there is no earlier operation ${operation}`);
  let value = answers.get(operation);
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      throw refuse(`${reference}: the answer of ${operation} has no ${step} there`);
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
