import assert from 'node:assert/strict';
import type { Answer } from './client.ts';

/** A problem is complete, says where it belongs, and nothing about our inside. */
export function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const { body } = answer;
  assert.equal(body.code, code, JSON.stringify(body));
  assert.equal(body.status, status);
  assert.equal(body.type, `/docs/errors#${code}`);
  assert.equal(body.request_id, answer.headers.get('x-request-id'));
  for (const member of ['title', 'detail', 'instance']) assert.ok(body[member], member);
  assert.doesNotMatch(JSON.stringify(body), /select |insert |at \w+ \(|node_modules/i);
}

/** Asserts that an answer refuses the body for one member. */
export function assertRefused(answer: Answer, pointer: string): void {
  assertProblem(answer, 422, 'validation_failed');
  assert.deepEqual(
    answer.body.errors.map((error: { pointer: string }) => error.pointer),
    [pointer],
    JSON.stringify(answer.body),
  );
}
