/** The fetch of exchange rates by its schedule, from a server on this machine. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../../db/ids.ts';
import { EXCHANGE_RATES, type RatesState } from '../../../../workflows/ledger/exchange/contract.ts';
import { EXCHANGE_RATES_ID } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

const daily = (day: string, rate: string) =>
  `<Envelope><Cube><Cube time="${day}"><Cube currency="USD" rate="${rate}"/><Cube currency="GBP" rate="0.85"/></Cube></Cube></Envelope>`;

describe('the fetch of exchange rates', function () {
  this.timeout(120_000);
  let answer = { status: 200, body: daily('2026-03-02', '1.08') };
  let server: Server;
  const app = useApp({ clock: REAL_CLOCK });
  const temporal = useTemporal();
  before(async () => {
    server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  useWorker(() => {
    const { port } = server.address() as AddressInfo;
    const env = { EXCHANGE_RATES_URL: `http://127.0.0.1:${port}/eurofxref-daily.xml` };
    return testConfig({ url: app.databaseUrl, ...temporal }, env);
  });
  after(() => server.close());

  const run = () =>
    temporal.client.workflow.execute<() => Promise<RatesState>>(EXCHANGE_RATES, {
      workflowId: `${EXCHANGE_RATES_ID}-${newId()}`,
      taskQueue: TASKS_QUEUE,
    });
  const rates = async (): Promise<string[]> =>
    (await app.client.get('/api/exchange-rates?sort=date')).body.data.map(
      (one: { currency: string; date: string; rate: number; source: string }) =>
        `${one.currency} ${one.date} ${one.rate} ${one.source}`,
    );

  it('keeps the rates of the currencies that a company uses, and no others', async () => {
    assert.deepEqual((await run()).companies, 0);
    assert.deepEqual(await rates(), []);
    await app.client.post('/api/exchange-rates', { currency: 'USD', date: '2026-03-01', rate: 1.1 });
    assert.deepEqual((({ companies, kept }) => [companies, kept])(await run()), [1, 1]);
    assert.deepEqual(await rates(), ['USD 2026-03-01 1.1 manual', 'USD 2026-03-02 1.08 ecb']);
    answer = { status: 200, body: daily('2026-03-02', '1.09') };
    assert.equal((await run()).kept, 1);
    assert.equal((await run()).kept, 0);
    assert.deepEqual(await rates(), ['USD 2026-03-01 1.1 manual', 'USD 2026-03-02 1.09 ecb']);
  });

  it('waits while the address answers something else', async () => {
    answer = { status: 503, body: 'Sorry' };
    const handle = await temporal.client.workflow.start<() => Promise<RatesState>>(EXCHANGE_RATES, {
      workflowId: `${EXCHANGE_RATES_ID}-${newId()}`,
      taskQueue: TASKS_QUEUE,
    });
    await eventually(async () => {
      const { raw } = await handle.describe();
      assert.equal(raw.pendingActivities?.[0]?.lastFailure?.message, 'The answer was 503');
    });
    answer = { status: 200, body: daily('2026-03-03', '1.07') };
    assert.equal((await handle.result()).kept, 1);
    assert.equal((await rates()).length, 3);
  });

  it('has its schedule while an address is configured', async () => {
    await eventually(() => temporal.client.schedule.getHandle(EXCHANGE_RATES_ID).describe());
  });
});
