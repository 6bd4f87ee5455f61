import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { ClaimedEvent } from '../../../services/platform/outbox/claim.ts';
import { Pace } from '../../../worker/relay/pace.ts';
import { Relay } from '../../../worker/relay/relay.ts';
import { WakeUp } from '../../../worker/relay/wake-up.ts';
import type { Company } from '../../helpers/company.ts';
import { useCompany, useOtherCompany, useTemporal } from '../../helpers/hooks.ts';
import { eventually } from '../../helpers/worker.ts';

const silent = pino({ level: 'silent' });

describe('a company with more events than the relay can hand over', function () {
  this.timeout(60_000);
  const crowd = useCompany({ sound: false });
  const other = useOtherCompany(crowd);
  const temporal = useTemporal();
  let wakeUp: WakeUp;
  let relay: Relay;
  /** Companies of the events, in the order of handing over. */
  let handedOver: string[];
  let handOver: (event: ClaimedEvent) => Promise<void>;

  /** Workflows that an event starts. */
  let workflows: number;

  beforeEach(async () => {
    handOver = async () => undefined;
    workflows = 1;
    wakeUp = new WakeUp(crowd.url, silent);
    const follower = {
      async handOver(_: unknown, { event }: { readonly event: ClaimedEvent }) {
        handedOver.push(event.tenantId);
        await handOver(event);
      },
      starts: () => workflows,
    };
    const deps = { database: crowd.database, client: temporal.client, logger: silent, now: () => new Date() };
    // Processors always have time to spare.
    const pace = new Pace(5, undefined, () => ({ isBusy: false }));
    relay = new Relay({ ...deps, followers: [follower], wakeUp }, pace);
    // What the making of the companies wrote.
    while ((await relay.round()).claimed > 0);
    handedOver = [];
  });
  afterEach(async () => {
    await relay.stop();
    await wakeUp.close();
  });
  const write = (company: Company, count: number) =>
    company.rows(
      `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
       select gen_random_uuid(), ?, 'stock.low', 'Item', gen_random_uuid(), '{}', now() from generate_series(1, ?)`,
      [company.ctx.tenantId, count],
    );
  const handed = (company: Company) => handedOver.filter((id) => id === company.ctx.tenantId).length;

  it('leaves others to go on while two rounds with its events last', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    handOver = ({ tenantId }) => (tenantId === crowd.ctx.tenantId ? released : Promise.resolve());
    relay.start();
    try {
      for (const count of [1, 2]) {
        await write(crowd, 1);
        await eventually(() => assert.equal(handed(crowd), count));
      }
      await write(crowd, 1);
      for (const count of [1, 2, 3]) {
        await write(other, 1);
        await eventually(() => assert.equal(handed(other), count, 'others go on'));
      }
      assert.equal(handed(crowd), 2, 'its third event waits');
    } finally {
      release();
    }
    await eventually(() => assert.equal(handed(crowd), 3));
  });

  it('ends the work for another one of the same batch, whose next event is handed over', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    handOver = ({ tenantId }) => (tenantId === crowd.ctx.tenantId ? released : Promise.resolve());
    for (const company of [crowd, other]) await write(company, 1);
    relay.start();
    try {
      for (const count of [1, 2, 3, 4]) {
        await eventually(() => assert.equal(handed(other), count));
        await eventually(async () => {
          const sql = 'select count(*)::integer as left from outbox where tenant_id = ? and processed_at is null';
          assert.deepEqual(await other.rows(sql, [other.ctx.tenantId]), [{ left: 0 }]);
        });
        await write(other, 1);
      }
    } finally {
      release();
    }
  });

  it('has its events handed over one by one while each starts very many workflows', async () => {
    workflows = 100;
    relay.start();
    await write(crowd, 1);
    await eventually(() => assert.equal(handed(crowd), 1));
    let atOnce = 0;
    let most = 0;
    handOver = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await sleep(20);
      atOnce -= 1;
    };
    await write(crowd, 12);
    await eventually(() => assert.equal(handed(crowd), 13));
    assert.equal(most, 1);
  });

  it('hands over others after each full batch of it', async () => {
    await write(crowd, 1600);
    await write(other, 1);
    relay.start();
    await eventually(() => assert.equal(handedOver.length, 1601));
    const place = handedOver.indexOf(other.ctx.tenantId);
    assert.ok(place <= 1000, `the other's event was number ${place + 1}`);
  });
});
