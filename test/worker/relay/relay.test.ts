import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, WorkflowNotFoundError } from '@temporalio/client';
import pg from 'pg';
import { pino } from 'pino';
import { newId } from '../../../db/ids.ts';
import { ROLES } from '../../../domain/permissions.ts';
import { createUser } from '../../../services/access/users/users.ts';
import { createWebhook, removeWebhook } from '../../../services/integrations/webhooks/manage.ts';
import {
  type ClaimedEvent,
  claimEvents,
  keepLease,
  markProcessed,
  postponeEvent,
  releaseEvents,
} from '../../../services/platform/outbox/claim.ts';
import { countDeadEvents, listDeadEvents, repeatDeadEvents } from '../../../services/platform/outbox/dead.ts';
import { removeTask, startTask } from '../../../services/platform/tasks/tasks.ts';
import { ServiceClient } from '../../../services/platform/temporal/client.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../services/trade/lifecycle/post.ts';
import { FOLLOWERS } from '../../../worker/followers/index.ts';
import { Following } from '../../../worker/relay/following.ts';
import { Relay } from '../../../worker/relay/relay.ts';
import type { RoundDeps } from '../../../worker/relay/round.ts';
import { WakeUp } from '../../../worker/relay/wake-up.ts';
import { webhookDeliveryId } from '../../../workflows/integrations/webhooks/contract.ts';
import { ENTITY_ID, SEARCH_ATTRIBUTES } from '../../../workflows/platform/search-attributes/contract.ts';
import { taskWorkflowId } from '../../../workflows/platform/tasks/contract.ts';
import {
  type DocumentChange,
  documentLifecycleId,
  type LifecycleInput,
} from '../../../workflows/trade/documents/contract.ts';
import { addCompany, type TestCompany } from '../../helpers/company.ts';
import { useCompany, useTemporal } from '../../helpers/hooks.ts';
import { testCompanyNames, testTemporal } from '../../helpers/servers.ts';
import { LOCAL_TARGETS } from '../../helpers/targets.ts';
import { OWNER } from '../../helpers/viewer.ts';
import { createNamespace, ENCRYPTION_KEY, eventually } from '../../helpers/worker.ts';

const silent = pino({ level: 'silent' });

describe('the relay', function () {
  this.timeout(60_000);
  const relays: { relay: Relay; wakeUp: WakeUp }[] = [];

  const company = useCompany({ sound: false });
  const temporal = useTemporal();
  before(async () => {
    await temporal.client.connection.operatorService.addSearchAttributes({
      namespace: temporal.namespace,
      searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 2])),
    });
    await processAll(); // what the making of the company wrote
  });
  afterEach(async () => {
    for (const { relay, wakeUp } of relays.splice(0)) {
      await relay.stop();
      await wakeUp.close();
    }
  });

  /** @param handOver a further follower, of all events; it is called as the others are */
  function makeRelay(
    handOver: (event: ClaimedEvent) => Promise<void> = async () => undefined,
    options: Pick<RoundDeps, 'leaseSeconds' | 'deliveryDelay'> & { readonly twice?: boolean } = {},
  ) {
    const { twice = false, ...rest } = options;
    const wakeUp = new WakeUp(company.url, silent);
    const relay = new Relay({
      database: company.database,
      client: temporal.client,
      followers: [...FOLLOWERS, ...(twice ? FOLLOWERS : []), { handOver: (_, { event }) => handOver(event) }],
      wakeUp,
      logger: silent,
      now: () => new Date(),
      ...rest,
    });
    relays.push({ relay, wakeUp });
    return { relay, wakeUp };
  }
  async function processAll() {
    const { relay } = makeRelay();
    await eventually(async () => {
      await relay.round();
      assert.equal(await pending(), 0);
    });
  }
  async function pending(): Promise<number> {
    const [row] = await company.rows('select count(*)::int as n from outbox where processed_at is null');
    return Number(row?.n);
  }
  /** Events as the audited write makes them; `rounds` for each document, all in one transaction for each round. */
  async function write(documents: readonly string[], rounds: number, event = 'document.updated') {
    for (let round = 0; round < rounds; round++) {
      await company.run(async (trx) => {
        for (const documentId of documents) {
          await trx.raw(
            `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
              values (?, ?, ?, 'SalesOrder', ?, ?, now())`,
            [
              newId(),
              company.ctx.tenantId,
              event,
              documentId,
              JSON.stringify({ document_id: documentId, status: 'O' }),
            ],
          );
        }
      });
    }
  }
  async function signalled(documentId: string): Promise<DocumentChange[]> {
    const handle = temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, documentId));
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap((event) => {
      const data = event.workflowExecutionSignaledEventAttributes?.input?.payloads?.[0]?.data;
      return data ? [JSON.parse(Buffer.from(data).toString('utf8')) as DocumentChange] : [];
    });
  }
  async function deliverySequence(documentId: string): Promise<number[]> {
    const rows = await company.rows('select seq from outbox where entity_id = ? order by seq', [documentId]);
    return rows.map((row) => Number(row.seq));
  }

  /** Asserts that the document's lifecycle was notified of its events in order, up to the last; events of one batch count as one. */
  async function assertTold(documentId: string): Promise<void> {
    const told = (await signalled(documentId)).map((change) => change.sequence);
    const events = await deliverySequence(documentId);
    assert.equal(told.at(-1), events.at(-1));
    assert.deepEqual(
      told,
      events.filter((sequence) => told.includes(sequence)),
    );
  }

  it('hands over every event once beside another relay, in order for each document', async () => {
    const documents = Array.from({ length: 20 }, newId);
    const two = [makeRelay(), makeRelay()];
    for (const { relay, wakeUp } of two) {
      await wakeUp.listen();
      relay.start();
    }
    await write(documents, 12);
    await eventually(async () => assert.equal(await pending(), 0));
    for (const documentId of documents) await assertTold(documentId);
  });

  it('starts a lifecycle with the state of its document, and signals it once per batch', async () => {
    const { tenantId } = company.ctx;
    const made = newId();
    await write([made], 1, 'document.created');
    await write([made], 2, 'document.locked');
    await processAll();
    const handle = temporal.client.workflow.getHandle(documentLifecycleId(tenantId, made));
    const startedWith = async () => {
      const [started] = (await handle.fetchHistory()).events ?? [];
      const data = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data ?? [];
      return JSON.parse(Buffer.from(data).toString('utf8')) as LifecycleInput;
    };
    const sequences = await deliverySequence(made);
    const { first } = await startedWith();
    assert.deepEqual([first?.event, first?.status, first?.sequence], ['document.locked', 'O', sequences.at(-1)]);
    assert.deepEqual(await signalled(made), []);
    await write([made], 3);
    await processAll();
    assert.deepEqual(
      (await signalled(made)).map(({ sequence }) => sequence),
      (await deliverySequence(made)).slice(-1),
    );
  });

  it('starts no lifecycle for a document that no longer exists', async () => {
    const gone = newId();
    await write([gone], 1, 'document.created');
    await write([gone], 1, 'document.deleted');
    await processAll();
    const handle = temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, gone));
    await assert.rejects(handle.describe(), WorkflowNotFoundError);
  });

  it('repeats an unmarked start as a signal, which the lifecycle recognizes', async () => {
    const made = newId();
    await write([made], 1, 'document.created');
    const crashing = makeRelay(async () => {
      throw new Error('killed before the mark');
    });
    await crashing.relay.round();
    assert.deepEqual(await signalled(made), []);
    await processAll();
    const [event] = await company.rows('select id from outbox where entity_id = ?', [made]);
    assert.deepEqual(
      (await signalled(made)).map(({ eventId }) => eventId),
      [event?.id],
    );
  });

  it('is woken by a commit', async () => {
    const { relay, wakeUp } = makeRelay();
    await wakeUp.listen();
    await wakeUp.wait(1); // the wake-up of listening itself
    const woken = wakeUp.wait(120_000); // longer than the case may take
    await company.run((trx) =>
      createDocument(trx, company.ctx, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
    await woken;
    await relay.round();
    assert.equal(await pending(), 0);
  });

  it('starts nothing for an event that nobody wants', async () => {
    const partnerId = newId();
    await company.run((trx) =>
      trx.raw(
        `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
          values (?, ?, 'partner.created', 'BusinessPartner', ?, '{}', now())`,
        [newId(), company.ctx.tenantId, partnerId],
      ),
    );
    const tried: ClaimedEvent[] = [];
    const { relay } = makeRelay(async (event) => {
      tried.push(event);
    });
    await relay.round();
    assert.equal(await pending(), 0);
    assert.deepEqual(
      tried.map((event) => event.entityId),
      [partnerId],
    );
    await assert.rejects(
      temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, partnerId)).describe(),
    );
  });

  it('starts the workflow of a task once, cancels it, and notifies no webhook of either', async () => {
    const { ctx } = company;
    const webhook = await company.run((trx) =>
      createWebhook(
        trx,
        ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        { name: 'all', url: 'http://127.0.0.1:1/all', events: ['*'] },
      ),
    );
    const task = await company.run((trx) =>
      startTask(trx, ctx, { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' }),
    );
    const { relay } = makeRelay(undefined, { twice: true });
    await relay.round();
    const handle = temporal.client.workflow.getHandle(taskWorkflowId({ tenantId: ctx.tenantId, taskId: task.id }));
    const described = await handle.describe();
    assert.deepEqual(
      [described.type, described.taskQueue, described.typedSearchAttributes.get(ENTITY_ID)],
      ['importFile', 'tasks', task.id],
    );
    await company.run((trx) => removeTask(trx, ctx, OWNER, task.id, null));
    await relay.round();
    for (const { id } of await company.rows('select id from outbox where entity_id = ?', [task.id])) {
      const delivery = temporal.client.workflow.getHandle(webhookDeliveryId(ctx.tenantId, webhook.id, String(id)));
      await assert.rejects(delivery.describe(), WorkflowNotFoundError);
    }
    const { events: history } = await handle.fetchHistory();
    const requests = (history ?? []).filter((event) => event.workflowExecutionCancelRequestedEventAttributes);
    assert.equal(requests.length, 1);
    await handle.terminate();
    assert.deepEqual(await company.rows('select 1 from webhook_attempts where webhook_id = ?', [webhook.id]), []);
    await company.run((trx) => removeWebhook(trx, ctx, webhook.id, null));
  });

  it('keeps a failed event and the later ones of the same document, and hands over the rest', async () => {
    const [first, second] = [newId(), newId()];
    await write([first], 3);
    await write([second], 1);
    let broken = true;
    const { relay } = makeRelay(async (event) => {
      if (broken && event.entityId === first) throw new Error('Temporal is away');
    });
    await eventually(async () => {
      await relay.round();
      assert.equal((await signalled(second)).length, 1);
    });
    const rows = await company.rows(
      'select attempts, last_error, processed_at, locked_until is null as free from outbox where entity_id = ? order by seq',
      [first],
    );
    assert.equal(rows[0]?.last_error, 'Temporal is away');
    assert.ok(Number(rows[0]?.attempts) >= 1);
    assert.deepEqual(
      rows.slice(1).map((row) => ({ attempts: row.attempts, processed_at: row.processed_at, free: row.free })),
      [
        { attempts: 0, processed_at: null, free: true },
        { attempts: 0, processed_at: null, free: true },
      ],
    );
    broken = false;
    await eventually(async () => {
      await relay.round();
      assert.equal(await pending(), 0);
    });
    await assertTold(first);
  });

  /** A hand-over of one document that waits until it is released, counted as it begins. */
  function heldUp(documentId: string) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const state = { begun: 0, release: () => release() };
    const hold = async (event: ClaimedEvent) => {
      if (event.entityId !== documentId) return;
      state.begun += 1;
      await held;
    };
    return Object.assign(state, { hold });
  }
  /** Until when the first event of a document is held, and whether a lease that was seen would be over by now. */
  async function documentLease(documentId: string, seen: unknown = 'infinity') {
    const sql = `select locked_until::text as until, clock_timestamp() > ?::timestamptz as over from outbox
      where entity_id = ? and locked_until is not null order by seq limit 1`;
    return (await company.rows(sql, [seen, documentId]))[0];
  }

  it('holds an event as long as its handover takes, without delaying others', async () => {
    const [slow, quick] = [newId(), [newId(), newId(), newId()]];
    const handOver = heldUp(slow);
    const seconds = { leaseSeconds: 2 };
    for (const { relay, wakeUp } of [makeRelay(handOver.hold, seconds), makeRelay(handOver.hold, seconds)]) {
      await wakeUp.listen();
      relay.start();
    }
    await write([slow], 2);
    await eventually(() => assert.equal(handOver.begun, 1, 'it is begun'));
    const first = (await documentLease(slow))?.until;
    for (const documentId of quick) {
      await write([documentId], 1);
      await eventually(async () => assert.equal((await signalled(documentId)).length, 1, 'others go on'));
    }
    await eventually(async () =>
      assert.equal((await documentLease(slow, first))?.over, true, 'the lease would be over without renewal'),
    );
    await makeRelay(handOver.hold).relay.round();
    assert.equal(handOver.begun, 1, 'no other relay takes it');
    handOver.release();
    await eventually(async () => assert.equal(await pending(), 0));
    assert.equal(handOver.begun, 2, 'what follows comes after it');
    await assertTold(slow);
  });

  it('starts the deliveries of one event to more webhooks than fit into one call', async () => {
    const made = await company.rows(
      `insert into webhooks (id, tenant_id, name, url, events, retry_policy, created_at, updated_at, version)
       select gen_random_uuid(), ?, n::text, 'http://127.0.0.1:1/', '{document.sent}', '{}', now(), now(), 1
       from generate_series(1, 600) as n returning id`,
      [company.ctx.tenantId],
    );
    const documentId = newId();
    await write([documentId], 1, 'document.sent');
    await processAll();
    const [event] = await company.rows('select id from outbox where entity_id = ?', [documentId]);
    for (const webhook of [made[0], made[300], made[599]]) {
      const id = webhookDeliveryId(company.ctx.tenantId, String(webhook?.id), String(event?.id));
      await temporal.client.workflow.getHandle(id).describe();
    }
    await company.rows(`delete from webhooks where events = '{document.sent}' returning id`);
  });

  it('starts deliveries later to endpoints for which others wait', async () => {
    const [hung, other] = await company.rows(
      `insert into webhooks (id, tenant_id, name, url, events, retry_policy, created_at, updated_at, version)
       select gen_random_uuid(), ?, n::text, 'http://127.0.0.1:1/', '{document.sent}', '{}', now(), now(), 1
       from generate_series(1, 2) as n returning id`,
      [company.ctx.tenantId],
    );
    const documentId = newId();
    await write([documentId], 1, 'document.sent');
    const asked: unknown[] = [];
    const { relay } = makeRelay(undefined, {
      deliveryDelay: (webhookId, eventId) => {
        asked.push(eventId);
        return webhookId === hung?.id ? 600.5 : 0;
      },
    });
    while ((await relay.round()).claimed > 0);
    const [event] = await company.rows('select id from outbox where entity_id = ?', [documentId]);
    const delays = await Promise.all(
      [hung, other].map(async (webhook) => {
        const id = webhookDeliveryId(company.ctx.tenantId, String(webhook?.id), String(event?.id));
        const { startTime, executionTime } = await temporal.client.workflow.getHandle(id).describe();
        return Number(executionTime) - Number(startTime);
      }),
    );
    assert.deepEqual(delays, [600_500, 0]);
    assert.deepEqual(asked, [event?.id, event?.id]);
    await company.rows(`delete from webhooks where events = '{document.sent}' returning id`);
  });

  it('counts as workflows of an event what it hands to Temporal, not what it does in the database', async () => {
    await write([newId()], 1, 'stock.low');
    const events: ClaimedEvent[] = [];
    const following = new Following(FOLLOWERS);
    await company.database.withSystem(async (trx) => {
      events.push(...(await claimEvents(trx, { owner: newId(), seconds: 0 }, 10)));
      await following.look(trx, events);
    });
    // Its notifications are written by the relay itself.
    assert.deepEqual(
      events.map((event) => [event.event, following.starts(event)]),
      [['stock.low', 0]],
    );
    await processAll();
  });

  it('logs an event for all inactive webhooks, and lets no deleted webhook hold up a batch', async () => {
    const made = await company.rows(
      `insert into webhooks (id, tenant_id, name, url, events, status, retry_policy, created_at, updated_at, version)
       select gen_random_uuid(), ?, n::text, 'http://127.0.0.1:1/', '{document.sent}', 'inactive', '{}', now(), now(), 1
       from generate_series(1, 1200) as n returning id`,
      [company.ctx.tenantId],
    );
    const deleted = String(made[0]?.id);
    const documentId = newId();
    await write([documentId], 2, 'document.sent');
    const { relay } = makeRelay(async () => {
      await company.rows('delete from webhooks where id = ? returning id', [deleted]);
    });
    await relay.round();
    assert.equal(await pending(), 0);
    const [logged] = await company.rows(
      `select count(*)::int as entries, count(distinct a.webhook_id)::int as webhooks
       from webhook_attempts a join outbox o on o.id = a.event_id
       where o.entity_id = ? and a.status = 'skipped' and a.attempt = 0 and a.error is not null and not a.test`,
      [documentId],
    );
    assert.deepEqual(logged, { entries: 2398, webhooks: 1199 });
    await company.rows(`delete from webhooks where events = '{document.sent}' returning id`);
  });

  it('repeats a start without effect after a crash before its mark', async () => {
    const webhook = await company.run((trx) =>
      createWebhook(
        trx,
        company.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        { name: 'w', url: 'http://127.0.0.1:9/', events: ['document.*'] },
      ),
    );
    const documentId = newId();
    await write([documentId], 1);
    const crashing = makeRelay(async () => {
      throw new Error('killed before the mark');
    });
    await crashing.relay.round();
    assert.equal(await pending(), 1);
    const [row] = await company.rows('select id from outbox where entity_id = ?', [documentId]);
    const handle = temporal.client.workflow.getHandle(
      webhookDeliveryId(company.ctx.tenantId, webhook.id, String(row?.id)),
    );
    const { runId } = await handle.describe();

    await processAll();
    assert.equal((await handle.describe()).runId, runId);
    const changes = await signalled(documentId);
    assert.equal(changes.length, 2, 'the lifecycle drops the second by its event id');
    assert.equal(new Set(changes.map((change) => change.eventId)).size, 1);
  });

  it('takes over the rows of a relay that died with them', async () => {
    const documentId = newId();
    await write([documentId], 2);
    // A dead relay leaves nothing but its lease, which runs out.
    await company.database.withSystem((trx) =>
      trx.raw(`update outbox set locked_until = clock_timestamp() + interval '1 second' where entity_id = ?`, [
        documentId,
      ]),
    );
    const { relay } = makeRelay();
    await relay.round();
    assert.equal(await pending(), 2, 'a valid lease is respected');
    await eventually(async () => {
      await relay.round();
      assert.equal(await pending(), 0);
    });
  });

  it('keeps everything while Temporal is unavailable', async () => {
    const documents = Array.from({ length: 5 }, newId);
    await write(documents, 2);
    const nowhere = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
    const wakeUp = new WakeUp(company.url, silent);
    const client = new ServiceClient({
      connection: nowhere,
      namespace: temporal.namespace,
      names: testCompanyNames(),
    });
    const relay = new Relay({ database: company.database, client, wakeUp, logger: silent, now: () => new Date() });
    assert.equal((await relay.round()).outage, true);
    const [spent] = await company.rows('select max(refusals) as most from outbox where processed_at is null');
    assert.equal(spent?.most, 0, 'an outage spends no tries');
    assert.equal(await pending(), 10);
    await nowhere.close();
    await processAll();
  });

  it('prepares a Temporal that has lost everything, without using up attempts', async () => {
    const lost = await createNamespace((await testTemporal()).address);
    const wakeUp = new WakeUp(company.url, silent);
    const { client } = lost;
    const relay = new Relay({ database: company.database, client, wakeUp, logger: silent, now: () => new Date() });
    const documents = [newId()];
    await write(documents, 1);
    assert.equal((await relay.round()).outage, true);
    const [spent] = await company.rows('select max(refusals) as most from outbox where processed_at is null');
    assert.equal(spent?.most, 0);
    await eventually(async () => {
      await relay.round();
      assert.equal(await pending(), 0);
    });
    await lost.close();
  });

  it('numbers the entries of the companies whose events it has handed over', async () => {
    const { ctx, customerId, taxId } = company;
    const lines = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: taxId }];
    const invoice = await company.run((trx) => createDocument(trx, ctx, 'SINV', { partnerId: customerId, lines }));
    await company.run((trx) => postInvoice(trx, ctx, String(invoice.id), { ifMatch: null }));
    await processAll();
    assert.deepEqual(await company.rows('select number from journal_entries'), [{ number: 1 }]);
  });

  it('delays no company when the entries of another cannot be numbered', async () => {
    const other = await addCompany(company.database, company.url);
    await processAll();
    const lines = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: other.taxId }];
    const invoice = await other.run((trx) =>
      createDocument(trx, other.ctx, 'SINV', { partnerId: other.customerId, lines }),
    );
    await other.run((trx) => postInvoice(trx, other.ctx, String(invoice.id), { ifMatch: null }));
    const documentId = newId();
    await write([documentId], 1);
    const waiting = 'select distinct tenant_id from outbox where processed_at is null';
    const { relay } = makeRelay();
    const holder = new pg.Client(company.url);
    await holder.connect();
    try {
      // Locks as closing the year does.
      await holder.query('begin');
      await holder.query(`insert into counters (tenant_id, name, next) values ($1, 'journal_entries:2026', 1)`, [
        other.ctx.tenantId,
      ]);
      const round = relay.round().then(() => 'ended');
      assert.equal(await Promise.race([round, delay(15_000, 'waits')]), 'ended');
      assert.deepEqual(await company.rows(waiting), [], 'of this company nothing waits');
      assert.equal((await other.rows(waiting)).length, 1, 'of the other it does');
      const left = await other.rows('select event from outbox where processed_at is null');
      assert.deepEqual(left, [{ event: 'document.locked' }], 'the last of its events, which brings it back');
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    await eventually(async () => {
      await relay.round();
      assert.deepEqual(await other.rows(waiting), []);
    });
    assert.deepEqual(await other.rows('select number from journal_entries'), [{ number: 1 }]);
  });

  describe('an event that cannot be handed over', () => {
    /** A company that hears of payments in the short form, and a payment whose data that form cannot be made of. */
    async function withUnreadablePayment() {
      const hostile = await addCompany(company.database, company.url);
      const owner = {
        email: 'owner@hostile.test',
        name: 'Owner',
        passwordHash: 'none',
        role: 'owner',
      } as const;
      await hostile.run((trx) =>
        createUser(trx, hostile.ctx, { role: 'owner', permissions: ROLES.owner.permissions }, owner),
      );
      await processAll();
      const webhook = await hostile.run((trx) =>
        createWebhook(
          trx,
          hostile.ctx,
          { encryptionKeys: [ENCRYPTION_KEY], targets: LOCAL_TARGETS },
          {
            event: 'payment.registered',
            url: 'http://127.0.0.1:9/',
            filters: [{ field: 'amount', operator: 'greater_than', value: '+5' }],
          },
        ),
      );
      return { hostile, webhookId: String(webhook.id) };
    }
    async function tell(from: Pick<TestCompany, 'run' | 'ctx'>, event: string, payload: object) {
      const id = newId();
      await from.run((trx) =>
        trx.raw(
          `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
            values (?, ?, ?, 'PaymentIn', ?, ?, now())`,
          [id, from.ctx.tenantId, event, newId(), JSON.stringify(payload)],
        ),
      );
      return id;
    }

    it('affects only the webhook that cannot read its data, is logged, and is reported to its company once', async () => {
      const { hostile, webhookId } = await withUnreadablePayment();
      const unreadable = [
        await tell(hostile, 'payment.received', { amount: 7, linked_documents: 5 }),
        await tell(hostile, 'payment.received', { amount: 8, linked_documents: 5 }),
      ];
      const readable = await tell(hostile, 'payment.received', { amount: 7, linked_documents: [] });
      const documentId = newId();
      await write([documentId], 1);
      await processAll();
      assert.equal((await signalled(documentId)).length, 1);
      const logged = await hostile.rows(
        'select event_id, status, attempt, error from webhook_attempts order by event_id',
      );
      assert.deepEqual(
        logged.map(({ event_id, status, attempt }) => ({ event_id, status, attempt })),
        unreadable.map((event_id) => ({ event_id, status: 'failed', attempt: 0 })),
      );
      assert.match(String(logged[0]?.error), /^The filters cannot be applied to this event: /);
      const alerts = await hostile.rows(`select body from notifications where metadata ->> 'filter_error_of' = ?`, [
        webhookId,
      ]);
      assert.equal(alerts.length, 1, 'told once to the one owner, however many events');
      assert.match(
        String(alerts[0]?.body),
        /^payment\.registered no se ha entregado\. The filters cannot be applied to this event: /,
      );
      const handle = temporal.client.workflow.getHandle(webhookDeliveryId(hostile.ctx.tenantId, webhookId, readable));
      assert.equal((await handle.describe()).status.name, 'RUNNING', 'a text with a plus is a number in a filter');
      await handle.terminate();
    });

    it('is set aside after ten failures of its own, delays no later events, and can be repeated', async () => {
      const [poison, well] = [newId(), newId()];
      await write([poison], 2);
      await write([well], 1);
      const [firstSequence, secondSequence] = await deliverySequence(poison);
      let broken = true;
      const { relay } = makeRelay(async (event) => {
        if (broken && event.seq === firstSequence) throw new TypeError('this event makes no sense');
      });
      const tryAgain = () =>
        company.database.withSystem((trx) => trx.raw('update outbox set locked_until = null where dead_at is null'));
      await relay.round();
      assert.equal((await signalled(well)).length, 1, 'others of the same batch went through');
      for (let round = 1; round < 10; round++) {
        await tryAgain();
        await relay.round();
      }
      await relay.round();
      assert.deepEqual(
        (await signalled(poison)).map(({ sequence }) => sequence),
        [secondSequence],
        'what follows goes on',
      );
      const [dead, ...none] = await company.database.withSystem((trx) => listDeadEvents(trx, 10));
      assert.equal(dead?.error, 'this event makes no sense');
      assert.deepEqual(none, []);
      assert.equal(await company.database.withSystem(countDeadEvents), 1);

      broken = false;
      assert.equal(await company.database.withSystem((trx) => repeatDeadEvents(trx, [String(dead?.id)])), 1);
      await processAll();
      assert.equal((await signalled(poison)).length, 2);
      assert.equal(await company.database.withSystem(countDeadEvents), 0);
    });
  });

  it('settles nothing that another relay has claimed since', async () => {
    const documentId = newId();
    await write([documentId], 1);
    const { database } = company;
    const [late, next] = [newId(), newId()].map((owner) => ({ owner, seconds: 30 }));
    assert.ok(late && next);
    const claimed = await database.withSystem((trx) => claimEvents(trx, late, 10));
    await database.withSystem((trx) =>
      trx.raw('update outbox set locked_until = now() where leased_by = ?', [late.owner]),
    );
    const again = await database.withSystem((trx) => claimEvents(trx, next, 10));
    const ids = claimed.map(({ id }) => id);
    assert.deepEqual(
      again.map(({ id }) => id),
      ids,
    );
    const state = () =>
      company.rows(
        'select leased_by, processed_at, attempts, locked_until > now() as held from outbox where id = any(?)',
        [ids],
      );
    const held = await state();
    assert.equal(held[0]?.leased_by, next.owner);
    await database.withSystem(async (trx) => {
      await releaseEvents(trx, late, ids);
      await markProcessed(trx, late, ids);
      await keepLease(trx, { ...late, seconds: 0 }, ids);
      for (const event of claimed) await postponeEvent(trx, late, event, { error: 'late', own: true, seconds: 0 });
    });
    assert.deepEqual(await state(), held);
    await database.withSystem((trx) => releaseEvents(trx, next, ids));
    await processAll();
  });
});
