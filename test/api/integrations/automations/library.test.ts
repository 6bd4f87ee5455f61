/** Ready automations: what a company can take as it stands. */
import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';

const PATH = '/api/automations';

interface Ready {
  readonly key: string;
  readonly language: string;
  readonly automation: { readonly name: string; readonly trigger: { readonly type: string } };
}

describe('ready automations', () => {
  const app = useApp();

  it('are ten, in each language', async () => {
    const { status, body } = await app.client.get(`${PATH}/templates`);
    assert.equal(status, 200);
    const ready = body.data as Ready[];
    const keys = (language: string) => ready.filter((one) => one.language === language).map(({ key }) => key);
    assert.deepEqual([keys('es').length, new Set(keys('es')).size], [10, 10]);
    assert.deepEqual(keys('en'), keys('es'));
    assert.equal(new Set(ready.map(({ automation }) => automation.name)).size, 20);
  });

  it('are taken as they stand, and mean what they say', async () => {
    const { body } = await app.client.get(`${PATH}/templates`);
    for (const { key, automation } of body.data as Ready[]) {
      const made = await app.client.post(PATH, automation);
      assert.equal(made.status, 201, `${key}: ${JSON.stringify(made.body)}`);
      assert.deepEqual(made.body.data.warnings, [], key);
      assert.equal(made.body.data.next_runs.length, automation.trigger.type === 'schedule.cron' ? 5 : 0, key);
      assert.equal((await app.client.post(`${PATH}/${made.body.data.id}/test`)).status, 200, key);
    }
  });
});
