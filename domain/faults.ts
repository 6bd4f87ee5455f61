import { type FieldError, validationFailed } from './errors.ts';

/** Collects faults, so that clients see all of them at once. */
export class Faults {
  readonly list: FieldError[] = [];

  add(pointer: string, code: string, message: string): void {
    this.list.push({ pointer, code, message });
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw validationFailed(this.list);
  }
}
