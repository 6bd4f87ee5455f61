import { v7 } from 'uuid';

/** A new identifier: UUID version 7, so that ids sort by time and indexes stay dense. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
