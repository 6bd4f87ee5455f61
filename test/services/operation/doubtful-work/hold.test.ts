import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { deliverOnce } from '../../../../services/integrations/webhooks/deliver.ts';
import { Gate } from '../../../../services/integrations/webhooks/gate.ts';
import { holdDoubtfulWork } from '../../../../services/operation/doubtful-work/hold.ts';
import { WORK_SOURCES } from '../../../../services/operation/missing-work/sources.ts';
import type { ExpectedWork } from '../../../../services/operation/missing-work/work.ts';
import { Outbound } from '../../../../services/platform/outbound/outbound.ts';
import { requestSending } from '../../../../services/trade/einvoice/face/request.ts';
import { lastSubmission } from '../../../../services/trade/einvoice/face/submissions.ts';
import { mailHandlers } from '../../../../worker/mail-handlers.ts';
import { openTrade } from '../../../api/trade/documents/trade.ts';
import { certify, issueToTown, serveTown, startTestAgency } from '../../../helpers/agency.ts';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { NOW, TODAY } from '../../../helpers/clock.ts';
import { use, useApp, useCompany, useReceiver } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ALLOWED_TARGETS, LOCAL_TARGETS } from '../../../helpers/targets.ts';

type Row = Record<string, unknown>;

const HOUR_MS = 3_600_000;
/** Between the backup and the restore. */
const LATER_MS = 6 * 60_000;
const NOTHING = { mails: 0, deliveries: 0, runs: 0, automations: 0, tasks: 0, submissions: 0 };

/** No worker runs: all that the cases do is still under way, as at the time of a backup. */
describe('work under way when the data were restored', function () {
  this.timeout(60_000);
  const clock = { now: NOW };
  const app = useApp({ clock, env: { OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS } });
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  const receiver = useReceiver();
  const backedUpAt = new Date(NOW.getTime() + 2000);
  const hold = async () => {
    clock.now = new Date(backedUpAt.getTime() + LATER_MS);
    const restored = { backedUpAt, now: clock.now, since: new Date(backedUpAt.getTime() - 24 * HOUR_MS) };
    return await holdDoubtfulWork({ database: app.database, mailHandlers: mailHandlers(app.deps.config) }, restored);
  };
  const made = async (path: string, body: Row) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const list = async (path: string): Promise<Row[]> => (await app.client.get(path)).body.data;
  const order = () =>
    made('/api/sales', { partnerId: trade.customerId, lines: [{ itemId: trade.itemId, quantity: 1 }] });
  const expected = async () => {
    const time = { since: new Date(backedUpAt.getTime() - 24 * HOUR_MS), until: new Date(clock.now.getTime() + 1) };
    const found: ExpectedWork[] = [];
    for (const source of WORK_SOURCES) found.push(...(await source(app.database, null, time)).items);
    return found.map(({ kind }) => kind).filter((kind) => kind !== 'lifecycles');
  };
  const handOverAll = () =>
    app.database.withSystem((trx) => trx.raw('update outbox set processed_at = created_at where processed_at is null'));

  const webhook = (name: string) =>
    made('/api/webhooks', { name, url: `${receiver.url}/${name}`, events: ['document.created'] });
  const rule = (name: string, trigger: Row) =>
    made('/api/automations', {
      name,
      trigger,
      actions: [{ type: 'notification.create', role: 'owner', title: name, body: name }],
    });
  const attempt = (webhookId: string, eventId: string) => {
    const outbound = new Outbound({ targets: LOCAL_TARGETS });
    const { database, config } = app.deps;
    const deps = {
      database,
      outbound,
      gate: new Gate({ slots: 10 }),
      encryptionKeys: [config.encryptionKey ?? ''],
      now: () => clock.now,
    };
    const ctx = { tenantId: app.tenantId, userId: null, actor: 'webhooks', requestId: newId(), now: clock.now };
    return deliverOnce(deps, ctx, { webhookId, eventId }, new AbortController().signal).finally(() => outbound.close());
  };

  let done: Row & { readonly webhook: Row; readonly rule: Row; readonly email: Row; readonly waiting: Row };
  let rules: { readonly often: Row; readonly yearly: Row; readonly usual: Row };
  before('work is under way', async () => {
    clock.now = new Date(NOW.getTime() + 1000);
    const [hook, onOrders] = [await webhook('before'), await rule('On orders', { type: 'document.created' })];
    const query = { resource: 'sales_orders', once: true };
    const cron = (name: string, expression: string, more: Row) =>
      rule(name, { type: 'schedule.cron', expression, ...more });
    rules = {
      often: await cron('Each order once', '*/5 * * * *', { query }),
      yearly: await cron('Next year', '0 0 1 1 *', { query }),
      usual: await cron('Every five minutes', '*/5 * * * *', {}),
    };
    // The rule had been told of the first order, which started nothing here.
    await order();
    await handOverAll();
    const waiting = await order();
    const lines = [{ itemId: trade.itemId, quantity: 1 }];
    const invoice = await made('/api/sales/invoices', { partnerId: trade.customerId, lines });
    await app.client.post(`/api/sales/invoices/${invoice.id}/post`);
    const { email } = await made(`/api/sales/invoices/${invoice.id}/send`, { to: 'a@example.test' });
    done = { webhook: hook, rule: onOrders, email, waiting };
  });
  const log = () => list(`/api/webhooks/${done.webhook.id}/logs`);
  const runs = () => list(`/api/automations/${done.rule.id}/logs`);

  it('is ended, and nothing is left that would start again', async () => {
    const held = await hold();
    assert.deepEqual(held, { mails: 1, deliveries: 3, runs: 2, automations: 1, tasks: 0, submissions: 0 });
    assert.deepEqual(await expected(), []);
    const [event] = (await log()).filter(({ document_id: id }) => id === done.waiting.id);
    assert.deepEqual(await attempt(String(done.webhook.id), String(event?.event_id)), { kind: 'skipped', attempt: 0 });
    assert.deepEqual(receiver.received, []);
  });

  it('is listed, with the reason, and as a to-do of the owners', async () => {
    const [failed] = await list('/api/emails?status=failed');
    assert.equal(failed?.id, done.email.id);
    assert.match(String(failed?.error), /under way at 2026-\d\d-\d\d \d\d:\d\d UTC, to which the data were restored/);
    assert.deepEqual(
      (await log()).map(({ status, attempt: number }) => [status, number]),
      Array(3).fill(['skipped', 0]),
    );
    assert.deepEqual(
      (await runs()).map(({ status }) => status),
      ['cancelled', 'cancelled'],
    );
    const states = await list('/api/automations');
    assert.deepEqual(
      Object.values(rules).map(({ id }) => states.find((one) => one.id === id)?.status),
      ['paused', 'active', 'active'],
    );
    const [toDo, ...others] = await list('/api/to-dos?status=open');
    assert.deepEqual([toDo?.role, others], ['owner', []]);
    assert.match(
      String(toDo?.body),
      /- 1 correos: .*\n- 3 entregas .*\n- 2 ejecuciones .*\n- 1 automatizaciones en pausa/,
    );
  });

  it('is held once, and repeated by people', async () => {
    assert.deepEqual(await hold(), NOTHING);
    assert.equal((await list('/api/to-dos?status=open')).length, 1);
    await made(`/api/emails/${done.email.id}/resend`, {});
    const [run] = await runs();
    await made(`/api/automations/${done.rule.id}/logs/${run?.id}/rerun`, {});
    assert.deepEqual(await hold(), { ...NOTHING, mails: 1, runs: 1 });
  });

  it('does not hold what happens afterwards', async () => {
    const target = await webhook('afterwards');
    await order();
    const [event] = (
      await app.database.withSystem((trx) =>
        trx.raw(`select id from outbox where event = 'document.created' order by seq desc limit 1`),
      )
    ).rows;
    assert.equal((await attempt(target.id, event.id)).kind, 'delivered');
  });

  it('may be in a lost order to the bank: it is ordered only if somebody says so', async () => {
    await desk.openAccount({ bic: 'CAIXESBBXXX' });
    await app.client.patch(`/api/partners/${trade.supplierId}`, { iban: 'ES7921000813610123456789' });
    clock.now = new Date(backedUpAt.getTime() - 1000);
    const old = await desk.payment('out', { amount: 30, payment_date: TODAY });
    await hold();
    const fresh = await desk.payment('out', { amount: 31, payment_date: TODAY });
    const path = '/api/payments/sepa/credit-transfers';
    await made(path, { payment_ids: [fresh], date: TODAY });
    const refused = await app.client.post(path, { payment_ids: [old], date: TODAY });
    assertProblem(refused, 409, 'duplicate');
    assert.deepEqual([refused.body.errors[0].pointer, refused.body.errors[0].code], ['/payment_ids/0', 'doubtful']);
    await made(path, { payment_ids: [old], date: TODAY, repeat: true });
  });
});

describe('an invoice on its way to FACe when the data were restored', function () {
  this.timeout(60_000);
  const company = useCompany();
  const agency = use(() => startTestAgency(), { close: (one) => one.close() });

  it('is uncertain: FACe may have it', async () => {
    const now = new Date();
    await serveTown(company);
    await certify(company, agency, now);
    const id = await issueToTown(company, now);
    await company.run((trx) => requestSending(trx, { ...company.ctx, now }, id, {}));
    const restored = { backedUpAt: now, now, since: new Date(now.getTime() - HOUR_MS) };
    const held = await holdDoubtfulWork({ database: company.database, mailHandlers: {} }, restored);
    assert.deepEqual(held, { ...NOTHING, submissions: 1 });
    const submission = await company.run((trx) => lastSubmission(trx, id));
    assert.deepEqual([submission?.status, submission?.errors?.[0]?.code], ['uncertain', 'restored']);
  });
});
