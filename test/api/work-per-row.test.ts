/** Counts function calls: no list computes for each row what a single record shows. */
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROUTES } from '../../api/routes.ts';
import { useApp } from '../helpers/hooks.ts';

const ROOT = pathToFileURL(resolve(import.meta.dirname, '..', '..')).href;
const ROWS = 40;
const FEW = 10;
/** A list shows a row with a handful of calls; the next times of one rule take hundreds. */
const MAX_CALLS_PER_ROW = 60;

const CREATED: Readonly<Record<string, (nth: number) => object>> = {
  '/api/automations': (nth) => ({
    name: `Rule ${nth}`,
    trigger: { type: 'schedule.cron', expression: '*/5 * * * *' },
    actions: [{ type: 'email.send', to: 'a@example.com', subject: 'S', body_html: 'T' }],
  }),
  '/api/report-schedules': (nth) => ({
    name: `Report ${nth}`,
    report_name: 'vat',
    params: { from: 'month-1', to: 'month-1' },
    cron: '*/15 * * * *',
    format: 'excel',
  }),
  '/api/webhooks': (nth) => ({ name: `Hook ${nth}`, url: `https://example.com/${nth}`, events: ['document.created'] }),
  '/api/uom': (nth) => ({ code: `U${nth}`, name: 'Unit' }),
  '/api/categories': (nth) => ({ name: `Category ${nth}` }),
  '/api/custom-fields': (nth) => ({ table_name: 'Item', field_name: `field_${nth}`, label: 'F', type: 'TEXT' }),
};

describe('the rows of a list', () => {
  const app = useApp();
  const session = new Session();
  before(async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  });
  after(async () => {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  });

  /** Calls of the service's own functions while a list of so many rows is answered. */
  async function calls(path: string, limit: number): Promise<number> {
    await session.post('Profiler.takePreciseCoverage');
    const { status, body } = await app.client.get(`${path}?limit=${limit}`);
    assert.deepEqual([status, body.data.length], [200, limit], path);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const own = result.filter(
      ({ url }) => url.startsWith(ROOT) && !url.includes('/node_modules/') && !url.includes('/test/'),
    );
    return own
      .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((a, b) => a + b, 0);
  }

  /** The calls without those of others: the first answer compiles and caches, and the relay works in the background. */
  async function fewest(path: string, limit: number): Promise<number> {
    const counts = [await calls(path, limit), await calls(path, limit), await calls(path, limit)];
    return Math.min(...counts);
  }

  for (const [path, body] of Object.entries(CREATED)) {
    it(`cost little: ${path}`, async () => {
      for (let nth = 0; nth < ROWS; nth++) {
        const made = await app.client.post(path, body(nth));
        assert.equal(made.status, 201, JSON.stringify(made.body));
      }
      const perRow = ((await fewest(path, ROWS)) - (await fewest(path, FEW))) / (ROWS - FEW);
      assert.ok(perRow <= MAX_CALLS_PER_ROW, `${perRow} calls per row`);
    });
  }

  it('have no members that only single records have', () => {
    const lists = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
    assert.ok(lists.length > 50);
    for (const { path, responses } of lists) assert.doesNotMatch(JSON.stringify(responses), /"next_runs"/, path);
  });
});
