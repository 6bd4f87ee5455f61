import assert from 'node:assert/strict';
import { idAt, isUuid, newId } from '../../db/ids.ts';

describe('identifiers', () => {
  const ids = Array.from({ length: 2000 }, newId);

  it('ascend, also within a millisecond and beyond the random bytes that are drawn at once', () => {
    assert.deepEqual([...new Set(ids)].sort(), ids);
  });

  it('are UUIDs of version 7 of the moment in which they are made', () => {
    const before = new Date();
    const id = newId();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(isUuid(id));
    assert.ok(id >= idAt(before) && id < idAt(new Date(before.getTime() + 60_000)));
  });

  it('end in bits of chance, each its own', () => {
    assert.equal(new Set(ids.map((id) => id.slice(-12))).size, ids.length);
  });
});
