/** An ETag identifies one body: a client that has it may be answered that nothing has changed. */
import assert from 'node:assert/strict';

const bodies = new Map<string, string>();
/** Forgotten beyond: a test compares what it has read itself. */
const KEPT = 2000;

/**
 * @param reader who has read it: address, token and company
 * @throws AssertionError when the same reader has got another body with this tag
 */
export function assertTagMeansBody(reader: string, path: string, tag: string, body: unknown): void {
  const key = JSON.stringify([reader, path, tag]);
  // Records of a company that has custom fields are never 304: what they show depends on the definitions.
  const text = JSON.stringify(body, (name, value) => (name.startsWith('custom_') ? undefined : value));
  const before = bodies.get(key);
  assert.equal(text, before ?? text, `GET ${path}: ${tag} was answered with another body before`);
  if (before === undefined && bodies.size >= KEPT) bodies.delete(bodies.keys().next().value as string);
  bodies.set(key, text);
}
