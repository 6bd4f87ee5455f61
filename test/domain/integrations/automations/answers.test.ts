import assert from 'node:assert/strict';
import { answerPath, keptResponse, MAX_ANSWER_BYTES } from '../../../../domain/integrations/automations/answers.ts';

const kept = (text: string) => keptResponse({ status: 200, headers: {}, body: Buffer.from(text) });

describe('answers of calls, for later actions of a rule', () => {
  it('are JSON where they are JSON, otherwise text', () => {
    assert.deepEqual(kept('{"id":7,"tags":["a"]}').body, { id: 7, tags: ['a'] });
    assert.equal(kept('thanks').body, 'thanks');
    assert.equal(kept('').body, '');
  });

  it('keep long numbers as texts, because ids of 64 bits would become others', () => {
    const text = String.raw`{"id":1234567890123456789,"n":-12.5e3,"said":"\"99999999999999999999","in":[123456789012345]}`;
    const expected = { id: '1234567890123456789', n: -12500, said: '"99999999999999999999', in: [123456789012345] };
    assert.deepEqual(kept(text).body, expected);
  });

  it('have no characters that the database cannot store', () => {
    assert.deepEqual(kept(String.raw`{"a\u0000":"\ud800x"}`).body, { 'a\u{FFFD}': '\u{FFFD}x' });
  });

  it('lose bodies that are too long or too deep, but not their status', () => {
    assert.equal(typeof kept(`"${'x'.repeat(MAX_ANSWER_BYTES - 2)}"`).body, 'string');
    assert.deepEqual(kept('x'.repeat(MAX_ANSWER_BYTES + 1)), { status: 200, headers: {}, lost: 'has more than 64 KB' });
    assert.equal(kept('['.repeat(20_000) + ']'.repeat(20_000)).lost, 'has more than 50 levels');
  });

  it('keep a bounded part of their headers', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`x-${nth}`, 'y'.repeat(2000)]));
    const { headers } = keptResponse({
      status: 201,
      headers: { 'set-cookie': ['a', 'b'], ...many },
      body: Buffer.alloc(0),
    });
    assert.equal(headers['set-cookie'], 'a, b');
    assert.equal(Object.keys(headers).length, 50);
    assert.equal(headers['x-0']?.length, 1000);
  });

  it('are named by the index of their action', () => {
    assert.deepEqual(answerPath('actions[2].response.body.id'), {
      path: 'actions[2].response.body.id',
      action: 2,
      isValid: true,
      isBody: true,
    });
    assert.equal(answerPath('actions.0.response.status')?.isBody, false);
    assert.equal(answerPath('actions.0.answer')?.isValid, false);
    assert.equal(answerPath('document.actions'), null);
  });
});
