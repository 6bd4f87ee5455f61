import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import { lockDocument, unlockDocument } from '../../../../services/trade/lifecycle/lock.ts';
import { compareAll } from '../../../../worker/reconcile/compare.ts';
import { knownTo } from '../../../../worker/reconcile/temporal.ts';
import {
  documentChanged,
  documentLifecycleId,
  type LifecycleView,
} from '../../../../workflows/trade/documents/contract.ts';
import { useCompany, useTemporal } from '../../../helpers/hooks.ts';
import { eventually, killed, workerProcess } from '../../../helpers/worker.ts';

const ANY = { ifMatch: null };

describe('the lifecycle of a document that is to be locked', function () {
  this.timeout(180_000);
  // Times of locks are moved past the services.
  const company = useCompany();
  const temporal = useTemporal();
  const worker = () => workerProcess({ url: company.url, ...temporal }, 'documents');
  let working: Awaited<ReturnType<typeof worker>>;
  before(async () => {
    working = await worker();
    await company.stockUp(company.itemId, 1000);
  });
  after(() => killed(working));

  const now = (): Context => ({ ...company.ctx, now: new Date() });
  const create = (docType: 'SO' | 'SDN' = 'SDN') => {
    const { ctx, customerId: partnerId, itemId } = company;
    return company.run((trx) => createDocument(trx, ctx, docType, { partnerId, lines: [{ itemId, quantity: 1 }] }));
  };
  const lifecycleId = (id: string) => documentLifecycleId(company.ctx.tenantId, id);
  const handle = (id: string) => temporal.client.workflow.getHandle(lifecycleId(id));
  const view = (id: string) => handle(id).query<LifecycleView>('state');
  const workflowStatus = async (id: string) => (await handle(id).describe()).status.name;
  const waits = (id: string, until: string | null) =>
    eventually(async () => assert.equal((await view(id)).lockDueAt, until), 60_000);
  /** Locks a document like a rule at the end of a day that ends that soon. @returns the time of the lock */
  const lockIn = (id: string, seconds: number) => {
    const at = new Date(Date.now() + seconds * 1000).toISOString();
    return company.run(async (trx) => {
      await lockDocument(trx, now(), id, 'end_of_day', ANY);
      await trx('documents').where({ id }).update({ lock_due_at: at });
      return at;
    });
  };
  const lockedAt = async (id: string) => (await company.run((trx) => readDocument(trx, id))).lockedAt;
  const becomesLocked = (id: string, at: string) =>
    eventually(async () => assert.equal(await lockedAt(id), at), 60_000);
  const documentEvents = async (id: string) =>
    ((await handle(id).fetchHistory()).events ?? []).flatMap((event) =>
      Object.keys(event).filter((name) => /^timer\w+Attributes$/.test(name)),
    );

  it('locks it by a timer', async () => {
    const { id } = await create();
    const at = await lockIn(id, 4);
    await becomesLocked(id, at);
    await waits(id, null);
    const [audit] = await company.rows(
      `select actor from audit_logs where entity_id = ? and action = 'UPDATE' order by id desc limit 1`,
      [id],
    );
    assert.equal(audit?.actor, `workflow:${await temporal.client.names.workflowId(lifecycleId(id))}`);
    assert.deepEqual(await documentEvents(id), ['timerStartedEventAttributes', 'timerFiredEventAttributes']);
    assert.equal(await workflowStatus(id), 'RUNNING');
  });

  it('forgets it when somebody unlocks the document', async () => {
    const { id } = await create();
    const at = await lockIn(id, 3600);
    await waits(id, at);
    await company.run((trx) => unlockDocument(trx, now(), id, ANY));
    await waits(id, null);
    assert.deepEqual(await documentEvents(id), ['timerStartedEventAttributes', 'timerCanceledEventAttributes']);
  });

  it('waits for it where the document is closed, and ends with it', async () => {
    const order = await create('SO');
    const at = await lockIn(order.id, 8);
    await waits(order.id, at);
    await company.run((trx) => createFollowUp(trx, company.ctx, order.id, 'deliver', {}, { ...ANY, docType: 'SO' }));
    await becomesLocked(order.id, at);
    assert.equal(((await handle(order.id).result()) as LifecycleView).status, 'C');
  });

  it('begins again for a closed document that is to be locked', async () => {
    const order = await create('SO');
    await company.run((trx) => createFollowUp(trx, company.ctx, order.id, 'deliver', {}, { ...ANY, docType: 'SO' }));
    await eventually(async () => {
      const waiting = await company.rows('select id from outbox where processed_at is null');
      assert.deepEqual(waiting, []);
    }, 60_000);
    const at = await lockIn(order.id, 3);
    await becomesLocked(order.id, at);
    await eventually(async () => assert.equal(await workflowStatus(order.id), 'COMPLETED'));
  });

  it('is begun again by the comparison when Temporal has lost it, open or closed', async () => {
    const [open, closed] = [await create('SO'), await create('SO')];
    await company.run((trx) => createFollowUp(trx, company.ctx, closed.id, 'deliver', {}, { ...ANY, docType: 'SO' }));
    const times = await Promise.all([open, closed].map(({ id }) => lockIn(id, 3600)));
    for (const [nth, { id }] of [open, closed].entries()) {
      await waits(id, times[nth] as string);
      await handle(id).terminate();
    }
    const ids = [open, closed].map(({ id }) => lifecycleId(id));
    await eventually(async () => {
      const known = await knownTo(temporal.client, ids);
      for (const id of ids) assert.equal(known.get(id), 'ended');
    });
    const time = { since: company.ctx.now, until: company.ctx.now };
    const deps = { database: company.database, client: temporal.client };
    await compareAll(deps, { time, starts: () => true, share: 100 });
    for (const [nth, { id }] of [open, closed].entries()) await waits(id, times[nth] as string);
  });

  it('survives that its worker is killed, however late the next one comes', async () => {
    const [waiting, untold] = [await create(), await create()];
    const at = await lockIn(waiting.id, 3);
    await waits(waiting.id, at);
    await killed(working);
    const untoldAt = await lockIn(untold.id, 1);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    assert.equal(await lockedAt(waiting.id), null);
    working = await worker();
    await becomesLocked(waiting.id, at);
    await becomesLocked(untold.id, untoldAt);
  });

  it('knows it after a new run, which begins before the history grows too long', async () => {
    const { id } = await create('SO');
    const at = await lockIn(id, 3600);
    await waits(id, at);
    const { runId } = await handle(id).describe();
    const numbers = Array.from({ length: 1100 }, (_, index) => index).values();
    const send = async () => {
      for (const number of numbers) {
        const change = { eventId: `event ${number}`, event: 'document.updated', status: 'P', sequence: 1e6 + number };
        await handle(id).signal(documentChanged, { ...change, code: null, lockDueAt: at });
      }
    };
    await Promise.all(Array.from({ length: 10 }, send));
    await eventually(async () => assert.notEqual((await handle(id).describe()).runId, runId), 60_000);
    await waits(id, at);
    assert.ok((await documentEvents(id)).includes('timerStartedEventAttributes'));
  });
});
