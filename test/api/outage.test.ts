import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNER, startTestApp } from '../helpers/app.ts';
import { use } from '../helpers/hooks.ts';
import { type CuttableProxy, startProxy } from '../helpers/proxy.ts';

describe('requests while the database is away for a moment', function () {
  this.timeout(60_000);
  let proxy: CuttableProxy;
  const app = use(
    () =>
      startTestApp({
        env: { DATABASE_PATIENCE_SECONDS: '10' },
        async reach(url) {
          const through = new URL(url);
          proxy = await startProxy(through.host);
          through.host = `${proxy.host}:${proxy.port}`;
          return through.href;
        },
      }),
    {
      async close(running) {
        await running.stop();
        await proxy.close();
      },
    },
  );

  it('are all answered as if nothing had been, and take effect once', async () => {
    const unit = (code: string) => ({ code, name: code });
    const { body } = await app.client.post('/api/uom', unit('BEFORE'));
    const all = (round: number) => [
      app.client.get('/api/uom'),
      app.client.get(`/api/uom/${body.data.id}`),
      app.client.post('/api/uom', unit(`A${round}`)),
      app.client.post('/api/uom', unit(`B${round}`), { 'Idempotency-Key': `k-${round}` }),
      app.client.patch(`/api/uom/${body.data.id}`, { name: `Piece ${round}` }),
      app.client.post('/api/transactions', {
        operations: [{ id: 'a', method: 'POST', path: '/api/uom', body: unit(`C${round}`) }],
      }),
      app.anonymous.post('/api/auth/login', { email: OWNER.email, password: OWNER.password }),
      app.client.get('/api/reports/trial-balance'),
    ];
    const away = async () => {
      proxy.down();
      await delay(300);
      proxy.up();
    };
    for (const round of [1, 2, 3]) {
      const [answers] = await Promise.all([Promise.all([...all(round * 10), ...all(round * 10 + 1)]), away()]);
      for (const { status, body: said } of answers) assert.ok(status < 300, `${status} ${JSON.stringify(said)}`);
    }
    const codes = (await app.client.get('/api/uom?limit=100&sort=code')).body.data.map(
      ({ code }: { code: string }) => code,
    );
    const made = codes.filter((code: string) => /^[ABC]\d/.test(code));
    assert.deepEqual(
      made.sort(),
      ['A', 'B', 'C'].flatMap((one) => [10, 11, 20, 21, 30, 31].map((n) => `${one}${n}`)),
    );
  });
});
