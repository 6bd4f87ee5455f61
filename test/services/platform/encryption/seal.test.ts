import assert from 'node:assert/strict';
import { createCipheriv, hkdfSync } from 'node:crypto';
import { ServiceError } from '../../../../domain/errors.ts';
import { SealError, seal, sealedPrefix, unseal } from '../../../../services/platform/encryption/seal.ts';

const KEY = 'a key of 32 characters, or even more';

describe('stored secrets', () => {
  it('come back with the same key and place only', () => {
    const sealed = seal([KEY], 'webhook/a/b', 'secreto €');
    assert.equal(unseal([KEY], 'webhook/a/b', sealed), 'secreto €');
    assert.throws(() => unseal([`${KEY}!`], 'webhook/a/b', sealed));
    assert.throws(() => unseal([KEY], 'webhook/a/c', sealed));
    const tampered = Buffer.from(sealed);
    tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1;
    assert.throws(() => unseal([KEY], 'webhook/a/b', tampered));
  });

  it('say which key has sealed them, and are opened by it while another seals', () => {
    const NEXT = `another ${KEY}`;
    const before = seal([KEY], 'p', 'text');
    assert.equal(unseal([NEXT, KEY], 'p', before), 'text');
    assert.throws(() => unseal([NEXT], 'p', before), SealError);
    const after = seal([NEXT, KEY], 'p', 'text');
    assert.equal(unseal([NEXT], 'p', after), 'text');
    const prefixes = [before, after].map((sealed) => sealed.subarray(0, 8).toString('hex'));
    assert.deepEqual(
      prefixes,
      [KEY, NEXT].map((key) => sealedPrefix([key]).toString('hex')),
    );
    assert.notEqual(prefixes[0], prefixes[1]);
  });

  it('are opened when they were sealed before keys had ids', () => {
    const iv = Buffer.alloc(12, 7);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', KEY, '', 'stored-secrets', 32)), iv);
    cipher.setAAD(Buffer.from('p'));
    const encrypted = Buffer.concat([cipher.update('text'), cipher.final()]);
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    assert.equal(unseal([`another ${KEY}`, KEY], 'p', sealed), 'text');
    assert.throws(() => unseal([`another ${KEY}`], 'p', sealed), SealError);
    for (const short of [Buffer.alloc(0), sealed.subarray(0, 20)]) {
      assert.throws(() => unseal([KEY], 'p', short), SealError);
    }
  });

  it('never look alike twice', () => {
    assert.notDeepEqual(seal([KEY], 'p', 'text'), seal([KEY], 'p', 'text'));
  });

  it('need a key', () => {
    assert.throws(
      () => seal([], 'p', 'text'),
      (error: unknown) => error instanceof ServiceError && error.status === 503,
    );
  });
});
