import assert from 'node:assert/strict';
import { RunEnded, runInThread } from '../../../../services/platform/threads/threads.ts';
import { longestStandstill, MAX_STANDSTILL_MS } from '../../../helpers/standstill.ts';
import type { Spinning } from './spinning.ts';

const MODULE = new URL('./spinning.ts', import.meta.url);

describe('threads for what users write', function () {
  this.timeout(60_000);

  const run = (input: Spinning, company = 'one') => runInThread<Spinning, Spinning>(company, MODULE, input);

  it('return what the work returns, or its error', async () => {
    assert.deepEqual(await run({ ms: 1 }), { ms: 1, kept: 0 });
    await assert.rejects(run({ fails: true }), /failed/);
  });

  it('end when they take too long or too much memory, without stopping the process', async () => {
    const standstill = await longestStandstill(async () => {
      await assert.rejects(run({ ms: 10_000 }), RunEnded);
      await assert.rejects(run({ mebibytes: 4000 }), RunEnded);
    });
    assert.ok(standstill < MAX_STANDSTILL_MS, `it stood still for ${standstill} ms`);
    assert.deepEqual(await run({}), { ms: 0, kept: 0 });
  });

  it('do not make one company wait for another', async () => {
    const hostile = Promise.allSettled(Array.from({ length: 6 }, () => run({ ms: 10_000 }, 'hostile')));
    const since = performance.now();
    for (let times = 0; times < 5; times += 1) await run({}, 'other');
    const waited = performance.now() - since;
    const results = await hostile;
    assert.ok(results.every((result) => result.status === 'rejected' && result.reason instanceof RunEnded));
    // The six take at least six seconds, one after the other.
    assert.ok(waited < 3000, `the other company waited for ${waited} ms`);
  });

  it('refuse what would wait long', async () => {
    const runs = await Promise.allSettled(Array.from({ length: 40 }, () => run({ ms: 1 })));
    const refused = runs.filter((result) => result.status === 'rejected');
    assert.deepEqual(
      refused.map(({ reason }) => String(reason.code ?? reason)),
      Array.from({ length: 40 - 1 - 32 }, () => 'too_many_requests'),
    );
  });
});
