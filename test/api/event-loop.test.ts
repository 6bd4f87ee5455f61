import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { defineRoute } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { startTestApp } from '../helpers/app.ts';
import { MAX_STRETCH_MS, mainThreadCpu, slowness } from '../helpers/main-thread.ts';

/** Keeps the main thread busy. */
function block(): void {
  const until = mainThreadCpu() + 2 * MAX_STRETCH_MS * slowness();
  while (mainThreadCpu() < until);
}

describe('a request that blocks the event loop', () => {
  /** An application with one more route, which blocks the loop for its first requests. */
  const start = (times: number) => {
    let left = times;
    const slow = defineRoute({
      method: 'GET',
      path: '/api/slow',
      id: 'slow',
      summary: 'Be slow',
      tag: 'Tests',
      access: 'public',
      responses: { 200: Type.Object({}) },
      handler: async () => {
        if (left-- > 0) block();
        return { status: 200, body: {} };
      },
    });
    return startTestApp({ setUp: false, routes: [...ROUTES, slow] });
  };

  it('fails the suite when its application stops', async () => {
    const app = await start(Number.POSITIVE_INFINITY);
    await app.anonymous.get('/api/slow');
    await assert.rejects(app.stop(), /GET \/api\/slow blocks the event loop for \d+ ms/);
  });

  it('passes where it does so once, since other code of the process may have done it', async () => {
    const app = await start(1);
    await app.anonymous.get('/api/slow');
    await app.stop();
  });
});
