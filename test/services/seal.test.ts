import assert from 'node:assert/strict';
import { ServiceError } from '../../domain/errors.ts';
import { seal, unseal } from '../../services/encryption/seal.ts';

const KEY = 'a key of 32 characters, or even more';

describe('stored secrets', () => {
  it('come back with the same key and place only', () => {
    const sealed = seal(KEY, 'webhook/a/b', 'secreto €');
    assert.equal(unseal(KEY, 'webhook/a/b', sealed), 'secreto €');
    assert.throws(() => unseal(`${KEY}!`, 'webhook/a/b', sealed));
    assert.throws(() => unseal(KEY, 'webhook/a/c', sealed));
    const tampered = Buffer.from(sealed);
    tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1;
    assert.throws(() => unseal(KEY, 'webhook/a/b', tampered));
  });

  it('never look alike twice', () => {
    assert.notDeepEqual(seal(KEY, 'p', 'text'), seal(KEY, 'p', 'text'));
  });

  it('need a key', () => {
    assert.throws(
      () => seal(undefined, 'p', 'text'),
      (error: unknown) => error instanceof ServiceError && error.status === 503,
    );
  });
});
