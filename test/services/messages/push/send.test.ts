import assert from 'node:assert/strict';
import { PushSubscription } from '../../../../db/models/messages/push.ts';
import { insertRow } from '../../../../db/write.ts';
import { markAllRead } from '../../../../services/messages/notifications/inbox.ts';
import { notifyUser } from '../../../../services/messages/notifications/notify.ts';
import {
  loadPush,
  type Push,
  type PushDeps,
  type PushOutcome,
  sendPush,
  truncateToBytes,
} from '../../../../services/messages/push/send.ts';
import { Outbound } from '../../../../services/platform/outbound/outbound.ts';
import { ENCRYPTION_KEY } from '../../../helpers/deliveries.ts';
import { use, useDeliveries } from '../../../helpers/hooks.ts';
import { pushBrowser } from '../../../helpers/push-browser.ts';
import { status } from '../../../helpers/receiver.ts';
import { LOCAL_TARGETS } from '../../../helpers/targets.ts';

describe('truncateToBytes', () => {
  it('keeps texts within a number of JSON bytes, in whole characters', () => {
    assert.equal(truncateToBytes('short', 100), 'short');
    assert.equal(truncateToBytes('añadir', 3), 'añ');
    assert.equal(truncateToBytes('añadir', 2), 'a');
    assert.equal(truncateToBytes('👍👍', 7), '👍');
    assert.equal(truncateToBytes('"quoted"', 4), '"qu');
    assert.equal(truncateToBytes('\u0001x', 6), '\u0001');
  });
});

describe('a push', () => {
  const bench = useDeliveries();
  const outbound = use(() => new Outbound({ targets: LOCAL_TARGETS }), { close: (opened) => opened.close() });
  const deps = (): PushDeps => ({
    database: bench.company.database,
    outbound: { send: (request: Parameters<Outbound['send']>[0]) => outbound.send(request) } as Outbound,
    encryptionKeys: [ENCRYPTION_KEY],
    appUrl: 'https://erp.example.test',
    mailFrom: 'erp@example.test',
  });

  /** A member with a browser for each path, and a notification for them. */
  async function notified(paths: readonly string[]) {
    const userId = await bench.member('owner');
    const { ctx, run, rows } = bench.company;
    const browsers = paths.map((path) => pushBrowser(bench.receiver.url + path));
    const ids: string[] = [];
    for (const { subscription } of browsers) {
      const { endpoint, keys } = subscription;
      const row = await run((trx) =>
        insertRow(trx, ctx, PushSubscription, { userId, endpoint, ...keys, sessionId: null }),
      );
      ids.push(row.id);
    }
    const title = { title: 'New', body: 'There is news' };
    await run((trx) => notifyUser(trx, ctx, userId, 'system_alert', { ...title, es: title }));
    const [notification] = await rows('select id from notifications where user_id = ?', [userId]);
    return { userId, browsers, ids, notificationId: String(notification?.id) };
  }
  const load = (notificationId: string) => loadPush(deps(), bench.company.ctx, notificationId);
  async function outcomes(push: Push, isWanted: (id: string) => boolean = () => true) {
    const found = new Map<string, PushOutcome>();
    await sendPush(deps(), bench.company.ctx, push, {
      isWanted,
      onOutcome: (id, outcome) => void found.set(id, outcome),
    });
    return found;
  }

  it('is tried again where the push service is busy, fails or does not answer, and given up where it refuses', async () => {
    const answers: readonly (readonly [
      path: string,
      answer: Parameters<typeof bench.receiver.answer>[1],
      PushOutcome,
    ])[] = [
      ['/p/taken', status(201), 'sent'],
      ['/p/busy', status(429), 'retry'],
      ['/p/fails', status(500), 'retry'],
      ['/p/hangs-up', (response) => void response.destroy(), 'retry'],
      ['/p/refuses', status(400), 'refused'],
      ['/p/too-long', status(413), 'refused'],
      ['/p/unknown', status(404), 'gone'],
      ['/p/gone', status(410), 'gone'],
    ];
    for (const [path, answer] of answers) bench.receiver.answer(path, answer);
    const { ids, notificationId, userId, browsers } = await notified(answers.map(([path]) => path));
    const push = await load(notificationId);
    assert.ok(push);
    const found = await outcomes(push);
    assert.deepEqual(
      ids.map((id) => found.get(id)),
      answers.map(([, , outcome]) => outcome),
    );
    const [taken] = bench.receiver.at('/p/taken');
    const message = browsers[0]?.read(taken?.bytes ?? Buffer.alloc(0)) as Record<string, unknown>;
    assert.deepEqual([message.notification_id, message.title], [notificationId, 'New']);
    // Browsers that are gone are subscribed no more, all others are.
    const left = await bench.company.rows('select id from push_subscriptions where user_id = ? order by id', [userId]);
    assert.deepEqual(
      left.map(({ id }) => id),
      ids.slice(0, -2).sort(),
    );
    const [, busy] = ids;
    assert.deepEqual([...(await outcomes(push, (id) => id === busy)).keys()], [busy]);
  });

  it('is not sent once its notification was read or deleted, or for people without a browser', async () => {
    const { notificationId, userId } = await notified(['/p/read']);
    assert.notEqual(await load(notificationId), null);
    const { ctx, run } = bench.company;
    await run((trx) => markAllRead(trx, { ...ctx, userId }));
    assert.equal(await load(notificationId), null);
    await run((trx) => trx.raw('delete from notifications where user_id = ?', [userId]));
    assert.equal(await load(notificationId), null);
    assert.equal(await load((await notified([])).notificationId), null);
  });
});
