/** Fixed assets over HTTP, with runs as a worker would do them. */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAssetActivities } from '../../activities/ledger/assets.ts';
import type { TestApp } from './app.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

export interface Register {
  /** Ids of groups by code. */
  readonly groups: ReadonlyMap<string, string>;
  /** An asset bought by hand: 1,200 over 12 months from January of the test's year. */
  buy(more?: Body): Promise<Data>;
  asset(id: string): Promise<Data>;
  /** Runs depreciation. @returns its task */
  run(body?: Body): Promise<Data>;
  /** The runs that stand, the latest first. */
  runs(): Promise<Data[]>;
}

/** Makes the groups of the official table. */
export async function openRegister(app: TestApp, year: number): Promise<Register> {
  const { client, database } = app;
  const made = await client.post('/api/asset-groups/generate');
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { body: listed } = await client.get('/api/asset-groups?limit=100');
  const groups = new Map((listed.data as { code: string; id: string }[]).map(({ code, id }) => [code, id]));
  return {
    groups,
    async buy(more = {}) {
      const body = { name: 'Lathe', groupId: groups.get('MAQUINARIA'), acquiredOn: `${year}-01-01`, cost: 1200 };
      const answer = await client.post('/api/assets', { ...body, usefulLifeMonths: 12, ...more });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data;
    },
    asset: async (id) => (await client.get(`/api/assets/${id}`)).body.data,
    async run(body = {}) {
      const { status, body: task } = await client.post('/api/asset-runs', body);
      assert.equal(status, 202, JSON.stringify(task));
      const activities = createAssetActivities({
        database,
        links: { keys: [], keepDays: 7 },
        now: () => app.clock.now,
      });
      const input = { tenantId: app.tenantId, taskId: task.task_id };
      await new MockActivityEnvironment().run(activities.enterDepreciation, input);
      return (await client.get(`/api/tasks/${task.task_id}`)).body.data;
    },
    runs: async () => (await client.get('/api/asset-runs?status=posted')).body.data,
  };
}
