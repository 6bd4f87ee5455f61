import assert from 'node:assert/strict';
import { either, fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';

describe('fragments of SQL', () => {
  it('become one statement with their values in order', () => {
    const conditions = where({ kind: 'transfer', zone_id: null }, undefined, [
      fragment('date >= ?', '2026-01-01'),
      either([fragment('code ilike ?', '%a%'), fragment('reason ilike ?', '%b%')]),
    ]);
    assert.deepEqual(toStatement(joined([fragment('select * from moves'), conditions])), {
      text: 'select * from moves where kind = $1 and zone_id is null and date >= $2 and (code ilike $3 or reason ilike $4)',
      values: ['transfer', '2026-01-01', '%a%', '%b%'],
    });
  });

  it('say nothing without conditions, and match nothing without alternatives', () => {
    assert.deepEqual(where(undefined, [], {}), fragment(''));
    assert.deepEqual(either([]), fragment('false'));
  });
});
