/** The unread count and the unread list of a user with 100,000 notifications: a thousand of them unread, then all. */
import { type Check, percentile } from './report.ts';
import type { Stage } from './stage.ts';

const NOTIFICATIONS = 100_000;
const FEW = 1000;
const ROUNDS = 200;
const LIMIT_MS = 20;
const COUNT = '/api/notifications/unread-count';
const LIST = '/api/notifications?read=false&limit=20';

export async function unreadCount(stage: Stage): Promise<Check> {
  await fillNotifications(stage);
  const few = [await p95(stage, COUNT, FEW), await p95(stage, LIST, FEW)];
  await stage.fill('update notifications set read = false, read_at = null');
  await stage.fill('vacuum analyze notifications');
  const all = [await p95(stage, COUNT, NOTIFICATIONS), await p95(stage, LIST, NOTIFICATIONS)];
  const shown = (figures: readonly number[]) => figures.map((ms) => ms.toFixed(1)).join(' and ');
  const [fewCount = 0, fewList = 0] = few;
  const [allCount = 0, allList = 0] = all;
  return {
    name: `unread count and unread list of ${NOTIFICATIONS} notifications, 95th percentile`,
    measured: `${shown(few)} ms with ${FEW} unread, ${shown(all)} ms with all unread`,
    limit: `${LIMIT_MS} ms for the count with ${FEW} unread`,
    // Nobody leaves 100,000 unread for long: the figure is shown, but has no limit (decision 0192).
    passed: fewCount <= LIMIT_MS,
    figures: { fewCount, fewList, allCount, allList },
  };
}

async function fillNotifications({ client, fill, tenantId }: Stage): Promise<void> {
  const userId = (await client.get('/api/auth/me')).body.user.id;
  await fill(
    `insert into notifications (id, tenant_id, user_id, type, title, body, read, read_at, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'payment_received', 'Cobro ' || n, 'Cobro de 1.250,00 € de Talleres García', n > ${FEW},
       case when n > ${FEW} then now() end, now() - n * interval '1 minute', now()
     from generate_series(1, ${NOTIFICATIONS}) n`,
    [tenantId, userId],
  );
  await fill('vacuum analyze notifications');
}

/** Measures the 95th percentile of sequential requests, in milliseconds. */
async function p95({ client }: Stage, path: string, unread: number): Promise<number> {
  const taken: number[] = [];
  for (let round = -10; round < ROUNDS; round++) {
    const started = performance.now();
    const { status, body } = await client.get(path);
    if (round >= 0) taken.push(performance.now() - started);
    if (status !== 200 || body.unread_count !== unread) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  }
  return percentile(
    taken.sort((one, other) => one - other),
    0.95,
  );
}
