import assert from 'node:assert/strict';
import { idAt, isUuid, newId } from '../../db/ids.ts';

describe('identifiers', () => {
  const ids = Array.from({ length: 2000 }, newId);

  it('ascend, even within a millisecond and beyond one batch of random bytes', () => {
    assert.deepEqual([...new Set(ids)].sort(), ids);
  });

  it('are UUIDs of version 7 with the time of their creation', () => {
    const before = new Date();
    const id = newId();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(isUuid(id));
    assert.ok(id >= idAt(before) && id < idAt(new Date(before.getTime() + 60_000)));
  });

  it('each end in their own random bits', () => {
    assert.equal(new Set(ids.map((id) => id.slice(-12))).size, ids.length);
  });
});
