import assert from 'node:assert/strict';
import { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { addCompany } from '../helpers/company.ts';
import { type KillableService, killableService } from '../helpers/killable.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { LOCAL_TARGETS } from '../helpers/targets.ts';
import { allHandedOver, ENCRYPTION_KEY, eventually } from '../helpers/worker.ts';

/** KILLED_DELIVERIES=2000 sends more than the 600 that always run. */
const DELIVERIES = Number(process.env.KILLED_DELIVERIES ?? 600);
/** Under way at once: as many answers can be lost by one kill. */
const IN_FLIGHT = 10;

describe('kills during deliveries', function () {
  this.timeout(900_000);
  let service: KillableService;
  let receiver: Receiver;
  let database: Database;
  let company: Awaited<ReturnType<typeof addCompany>>;

  before(async () => {
    service = await killableService();
    receiver = await startReceiver();
    await service.postgres.start();
    await migrate(service.url);
    database = new Database({ url: service.url, poolSize: 5, applicationName: 'test' });
    company = await addCompany(database, service.url);
  });
  after(async () => {
    await database.close();
    await service.close();
    await receiver.close();
  });

  /** Events as a write makes them: a thousand in one statement. */
  async function commit(count: number): Promise<void> {
    await company.run((trx) =>
      trx.raw(
        `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
         select e::uuid, ?, 'stock.low', 'Item', gen_random_uuid(), '{"code": "A"}', now() from unnest(?::text[]) as e`,
        [company.ctx.tenantId, Array.from({ length: count }, newId)],
      ),
    );
  }
  const successes = async () => {
    const [row] = await company.rows(`select count(*)::int as n from webhook_attempts where status = 'success'`);
    return Number(row?.n);
  };
  const reached = (count: number) =>
    eventually(async () => assert.ok((await successes()) >= count, `${count} deliveries arrive`), 400_000);

  /** The statuses that the receiver has answered, of each event in order. */
  const answers = new Map<string, number[]>();
  async function registerWebhook(): Promise<void> {
    let requests = 0;
    receiver.answer('/hook', (response) => {
      const { id } = JSON.parse(receiver.received.at(-1)?.body ?? '') as { id: string };
      const status = ++requests % 3 === 0 ? 500 : 200;
      answers.set(id, [...(answers.get(id) ?? []), status]);
      response.writeHead(status).end();
    });
    await company.run((trx) =>
      createWebhook(
        trx,
        company.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        {
          name: 'kills',
          url: `${receiver.url}/hook`,
          events: ['stock.low'],
          retry_policy: { max_attempts: 20, retry_delay_seconds: [1] },
          max_in_flight: IN_FLIGHT,
          rate_per_second: 1000,
        },
      ),
    );
  }

  interface Logged {
    readonly id: string;
    readonly attempts: number[];
    readonly statuses: number[];
  }
  let log: Logged[];
  before('deliver amid kills of worker, Temporal and PostgreSQL', async () => {
    await registerWebhook();
    await service.temporal.start();
    await service.worker.start();
    await commit(DELIVERIES / 2);

    await reached(DELIVERIES * 0.1);
    await service.worker.kill();
    await service.worker.start();
    await reached(DELIVERIES * 0.25);
    await service.temporal.kill();
    await commit(DELIVERIES / 2);
    await service.temporal.start();
    await reached(DELIVERIES * 0.5);
    await service.postgres.kill();
    await service.postgres.start();
    await reached(DELIVERIES);

    log = (await company.rows(
      `select event_id as id, array_agg(attempt order by attempt) as attempts, array_agg(http_status order by attempt) as statuses
       from webhook_attempts group by event_id`,
    )) as unknown as Logged[];
  });

  it('lose none', async () => {
    assert.equal(log.length, DELIVERIES);
    await allHandedOver(company);
  });

  it('leave every attempt in the log, counted without gaps, of which the last one arrives', () => {
    for (const { attempts, statuses } of log) {
      assert.deepEqual(
        attempts,
        attempts.map((_, index) => index + 1),
      );
      assert.deepEqual(
        statuses.map((status) => status === 200),
        [...Array(statuses.length - 1).fill(false), true],
      );
    }
  });

  it('repeat only what had no answer', () => {
    // Matches the log with the receiver's answers; a kill may have swallowed some.
    let lost = 0;
    for (const { id, statuses } of log) {
      const answered = [...(answers.get(id) ?? [])];
      for (const status of statuses) {
        while (answered[0] !== status) {
          assert.ok(answered.length > 0, `event ${id} is logged as answered ${statuses}, but was ${answers.get(id)}`);
          answered.shift();
          lost += 1;
        }
        answered.shift();
      }
      lost += answered.length;
    }
    // The worker and the database were killed once each; Temporal's death swallows no answer.
    assert.ok(lost <= 2 * IN_FLIGHT, `${lost} answers were lost`);
  });
});
