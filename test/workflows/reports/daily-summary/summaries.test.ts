import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { summaryDay } from '../../../../domain/messages/notifications/summary-day.ts';
import { DAILY_SUMMARIES_ID } from '../../../../workflows/operation/contract.ts';
import { OWNER, REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { mailHeader, type Received, useSmtp } from '../../../helpers/smtp.ts';
import { ALLOWED_TARGETS } from '../../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, killed, testConfig, workerProcess } from '../../../helpers/worker.ts';

const MAIL_FROM = 'ERP <erp@example.test>';
const HOUR = 3_600_000;

/** A zone where it is past eight now, and stays the same date for the next hours. */
function daytimeZone(now: Date): string {
  const later = new Date(now.getTime() + HOUR);
  const day = (zone: string) => summaryDay(now, zone);
  const zone = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].find(
    (one) => day(one) && day(one) === summaryDay(later, one),
  );
  assert.ok(zone !== undefined);
  return zone;
}

describe('daily summaries by their schedule', function () {
  this.timeout(240_000);
  const temporal = useTemporal();
  const smtp = useSmtp();
  const app = useApp({ clock: REAL_CLOCK, env: { ENCRYPTION_KEY } });
  const servers = () => ({ url: app.databaseUrl, address: temporal.address, namespace: temporal.namespace });
  const env = { MAIL_FROM, WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS };
  const schedule = () => temporal.client.schedule.getHandle(DAILY_SUMMARIES_ID);
  const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));

  before(async () => {
    await app.client.put('/api/config/format', { timezone: daytimeZone(new Date()) });
    assert.equal((await app.client.patch('/api/notifications/settings', { email_enabled: true })).status, 200);
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const { data } = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body;
    const mention = { entityType: 'BusinessPartner', entityId: data.id, body: `@${OWNER.email} call them back` };
    assert.equal((await app.client.post('/api/comments', mention)).status, 201);
  });
  /** Resets the day's summary, as if the day had just begun. */
  beforeEach(async () => {
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw('update notification_settings set summary_on = null'),
    );
    smtp.received.length = 0;
  });

  /** Returns the run that the schedule started last. */
  async function lastRun() {
    const { info } = await schedule().describe();
    const { action } = info.recentActions.at(-1) ?? {};
    assert.ok(action !== undefined);
    return temporal.client.workflow.getHandle(action.workflow.workflowId);
  }
  async function runNow() {
    const before = (await schedule().describe()).info.numActionsTaken;
    await schedule().trigger();
    await eventually(async () => assert.ok((await schedule().describe()).info.numActionsTaken > before));
    return await lastRun();
  }

  describe('when the worker is killed', () => {
    it('are sent once, even if it was in the middle of queueing them', async () => {
      const victim = await workerProcess(servers(), 'tasks', { ...env, SMTP_URL: smtp.url });
      let run: Awaited<ReturnType<typeof runNow>> | undefined;
      // With `emails` locked, the worker stops after it has found the recipients and before it queues a mail.
      await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
        await trx.raw('lock table emails in exclusive mode');
        run = await runNow();
        await eventually(async () => {
          const { rows } = await trx.raw(`select 1 from pg_locks where relation = 'emails'::regclass and not granted`);
          assert.equal(rows.length, 1);
        });
        await killed(victim);
      });
      const others = await Promise.all(
        ['tasks', 'mail', 'documents'].map((queue) => workerProcess(servers(), queue, { ...env, SMTP_URL: smtp.url })),
      );
      try {
        assert.equal((await run?.result())?.failed, 0);
        // A run that finds the person locked by what was killed leaves them to the next one.
        await eventually(async () => {
          await (await runNow()).result();
          assert.equal(mailsTo(OWNER.email).length, 1);
        }, 60_000);
        // Depending on the hour, the company may be looked at again: `companies` counts those behind the latest date anywhere on earth.
        const { queued, failed } = await (await runNow()).result();
        assert.deepEqual({ queued, failed }, { queued: 0, failed: 0 });
      } finally {
        for (const other of others) await killed(other);
      }
    });
  });

  describe('while a worker runs', () => {
    useWorker(() => testConfig(servers(), { ...env, SMTP_URL: smtp.url }));
    const sent = async (): Promise<Received> => {
      await eventually(() => assert.equal(mailsTo(OWNER.email).length, 1), 60_000);
      return mailsTo(OWNER.email)[0] as Received;
    };

    it('arrive at a real mail server, with a link that unsubscribes the reader', async () => {
      const run = await eventually(runNow, 60_000);
      assert.deepEqual(await run.result(), { after: null, companies: 1, queued: 1, failed: 0 });
      const mail = await sent();
      assert.equal(mailHeader(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
      const [, link = ''] = /^<(\S+)>$/.exec(String(mailHeader(mail, 'List-Unsubscribe'))) ?? [];
      const { pathname, search } = new URL(link);
      const answer = await fetch(app.address + pathname + search, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: String(mailHeader(mail, 'List-Unsubscribe-Post')),
      });
      assert.equal(answer.status, 200);
      assert.equal((await app.client.get('/api/notifications/settings')).body.email_enabled, false);
      const history = JSON.stringify(historyToJSON(await run.fetchHistory()));
      assert.ok(!history.includes(OWNER.email));
    });

    it('are sent once, however often the schedule is triggered or backfilled', async () => {
      await app.client.patch('/api/notifications/settings', { email_enabled: true });
      await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
        trx.raw('update notification_settings set summary_on = null'),
      );
      await (await runNow()).result();
      await sent();
      const end = new Date();
      await schedule().backfill({ start: new Date(end.getTime() - 6 * HOUR), end, overlap: 'BUFFER_ALL' });
      await eventually(async () => assert.ok((await schedule().describe()).info.numActionsTaken > 20), 60_000);
      await eventually(async () => assert.equal((await schedule().describe()).info.runningActions.length, 0), 60_000);
      await (await runNow()).result();
      await delay(1000);
      assert.equal(mailsTo(OWNER.email).length, 1);
    });
  });
});
