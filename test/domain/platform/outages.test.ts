import assert from 'node:assert/strict';
import { databaseOutage, fileOutage } from '../../../domain/platform/outages.ts';

describe('errors of the machine', () => {
  const ofPostgres = (code: string) => Object.assign(new Error('of PostgreSQL'), { code, severity: 'ERROR' });
  const ofNode = (code: string) => Object.assign(new Error('of node'), { code });
  const says = (error: unknown) => databaseOutage(error)?.message ?? null;

  it('are told from those of a statement', () => {
    const machine = {
      '53100': /disk space/,
      '53200': /memory/,
      '53300': /connection/,
      '53400': /connection/,
      '25006': /read-only/,
      '58030': /files/,
      '57P01': /does not answer/,
      '57P03': /does not answer/,
      '08006': /does not answer/,
      '28P01': /does not answer/,
    };
    for (const [code, sentence] of Object.entries(machine)) assert.match(says(ofPostgres(code)) ?? code, sentence);
    for (const code of ['23505', '42P01', '57014', '40001', '22003', 'XX000'])
      assert.equal(says(ofPostgres(code)), null);
    assert.match(says(ofNode('EHOSTUNREACH')) ?? '', /does not answer/);
    assert.match(says(Object.assign(ofNode('ENOENT'), { syscall: 'connect' })) ?? '', /does not answer/);
    assert.equal(says(Object.assign(ofNode('ENOENT'), { syscall: 'open' })), null);
    // A library's own code that looks like one of PostgreSQL's.
    assert.equal(says(ofNode('53100')), null);
  });

  it('are known from files too', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE']) {
      const outage = fileOutage(ofNode(code));
      assert.ok(outage !== null && outage.retryAfter > 0, code);
    }
    assert.equal(fileOutage(ofNode('ENOENT')), null);
    assert.equal(fileOutage('ENOSPC'), null);
  });
});
