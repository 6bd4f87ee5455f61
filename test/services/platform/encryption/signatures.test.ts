import assert from 'node:assert/strict';
import { isSigned, sign } from '../../../../services/platform/encryption/signatures.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const OLD = 'another key of 32 characters or more';

describe('signatures of links', () => {
  it('stay the same from release to release: links are in mails', () => {
    const expected = 'd52675277447b73e7356fe1904f2f6a43b561637198e479fa6eb5febaa0d7f5c';
    assert.equal(sign(ENCRYPTION_KEY, 'links to payslips', ['t', 'p', 1]), expected);
  });

  it('are valid for one grant and one purpose, by any key of the service', () => {
    const signature = sign(OLD, 'links to files', ['company', 'file', 1]);
    const valid = (
      ...[keys, purpose, grant]: [string[], 'links to files' | 'links to payslips', (string | number)[]]
    ) => isSigned(keys, purpose, grant, signature);
    assert.ok(valid([ENCRYPTION_KEY, OLD], 'links to files', ['company', 'file', 1]));
    assert.ok(!valid([ENCRYPTION_KEY], 'links to files', ['company', 'file', 1]));
    assert.ok(!valid([OLD], 'links to payslips', ['company', 'file', 1]));
    assert.ok(!valid([OLD], 'links to files', ['company', 'file', 2]));
    assert.ok(!isSigned([OLD], 'links to files', ['company', 'file', 1], signature.slice(1)));
  });
});
