/**
 * References to responses of earlier operations in a transaction: `{"$ref": "so.data.id"}` in bodies, `{so.data.id}` in
 * paths.
 */
import { invalidMember, type ServiceError } from '../../../domain/errors.ts';
import { pointerStep } from '../../../services/platform/validation/text.ts';

/**
 * Limits for everything that the references of a transaction resolve to: members and entries within objects and lists,
 * and characters of names and texts. A short reference can name a whole document, so the size of a request says nothing
 * about the work that its references make. References to a text or number are limited by their characters only.
 */
export const REFERENCE_LIMITS = { members: 10_000, characters: 2 * 1024 * 1024 } as const;
/** Maximum characters of a reference, and of a path with its references filled in. */
const MAX_REFERENCE = 500;
const MAX_PATH = 8000;

/** The responses of a transaction's operations so far, and what its references may still resolve to. */
export class References {
  readonly #answers = new Map<string, unknown>();
  #members: number = REFERENCE_LIMITS.members;
  #characters: number = REFERENCE_LIMITS.characters;

  /** Adds the response of an operation, as the JSON value that clients see. */
  add(operation: string, answer: unknown): void {
    this.#answers.set(operation, answer);
  }

  /**
   * Replaces every reference in a body with a copy of its value.
   * @throws ServiceError validation_failed at the reference
   */
  fillBody(value: unknown, pointer: string): unknown {
    if (Array.isArray(value)) return value.map((entry, index) => this.fillBody(entry, `${pointer}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    if (entries.length === 1 && entries[0]?.[0] === '$ref') {
      const at = `${pointer}/$ref`;
      return this.#copy(this.#lookUp(entries[0][1], at), at);
    }
    return Object.fromEntries(
      entries.map(([name, entry]) => [name, this.fillBody(entry, pointer + pointerStep(name))]),
    );
  }

  /** Replaces every reference in a path. @throws ServiceError validation_failed */
  fillPath(path: string, pointer: string): string {
    const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, reference: string) => {
      const value = this.#lookUp(reference, pointer);
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw invalidMember(pointer, 'invalid_reference', `${reference} must refer to a text or number`);
      }
      return encodeURIComponent(this.#copy(value, pointer) as string | number);
    });
    if (filled.length <= MAX_PATH) return filled;
    const message = `must have at most ${MAX_PATH} characters with its references filled in`;
    throw invalidMember(pointer, 'too_long', message);
  }

  /** Follows a reference step by step, through own members only. */
  #lookUp(reference: unknown, pointer: string): unknown {
    const refuse = (message: string) => invalidMember(pointer, 'invalid_reference', message);
    if (typeof reference !== 'string') throw refuse('must be a text such as so.data.id');
    if (reference.length > MAX_REFERENCE)
      throw invalidMember(pointer, 'too_long', `must have at most ${MAX_REFERENCE} characters`);
    const [operation = '', ...steps] = reference.split('.');
    if (!this.#answers.has(operation)) throw refuse(`${reference}: there is no earlier operation ${operation}`);
    let value = this.#answers.get(operation);
    for (const step of steps) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
        throw refuse(`${reference}: the answer of ${operation} has no ${step} there`);
      }
      value = (value as Record<string, unknown>)[step];
    }
    return value;
  }

  /** Copies a value, since validation changes bodies in place. Stops where the budget is used up. */
  #copy(value: unknown, pointer: string): unknown {
    if (typeof value === 'string') this.#spend(0, value.length, pointer);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      this.#spend(value.length, 0, pointer);
      return value.map((entry) => this.#copy(entry, pointer));
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => {
        this.#spend(1, name.length, pointer);
        return [name, this.#copy(entry, pointer)];
      }),
    );
  }

  #spend(members: number, characters: number, pointer: string): void {
    this.#members -= members;
    this.#characters -= characters;
    if (this.#members < 0 || this.#characters < 0) throw tooLarge(pointer);
  }
}

function tooLarge(pointer: string): ServiceError {
  const { members, characters } = REFERENCE_LIMITS;
  return invalidMember(
    pointer,
    'too_large',
    `cannot be resolved because the references of a transaction may stand for at most ${members} members and ` +
      `${characters} characters in all; refer to single members`,
  );
}
