/** Entries that are made on their day, with a real Temporal server. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DUE_ENTRIES } from '../../../../workflows/contracts/due-entries/contract.ts';
import { DUE_ENTRIES_ID } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { openBooks } from '../../../api/ledger/accounting/books.ts';
import { use, useApp, useTemporal } from '../../../helpers/hooks.ts';
import { ENCRYPTION_KEY, startWorker, testConfig } from '../../../helpers/worker.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('entries that are due', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp({ env: { ENCRYPTION_KEY } });
  const books = use(() => openBooks(app));
  const run = async () =>
    await temporal.client.workflow.execute(DUE_ENTRIES, { workflowId: DUE_ENTRIES_ID, taskQueue: TASKS_QUEUE });
  const toDos = async (): Promise<Data[]> => (await app.client.get('/api/to-dos')).body.data;

  it('are made once; those of a closed month wait, with a to-do that says how to go on, and are made when it is opened', async () => {
    const lines = [
      { accountId: books.account('625'), debit: 151, serviceFrom: '2026-01-01', serviceTo: '2026-05-31' },
      { accountId: books.account('572'), credit: 151 },
    ];
    const { id } = await books.make('/api/journal-entries', { date: '2026-01-01', post: true, lines });
    const { body } = await app.client.get('/api/periods?from=2026-04-01');
    await app.client.patch(`/api/periods/${body.data[0].id}`, { status: 'C' });
    const worker = startWorker(
      testConfig({ url: app.databaseUrl, address: temporal.address, namespace: temporal.namespace }),
    );
    try {
      assert.deepEqual(await run(), { after: null, companies: 1, entered: 3, failed: 0 });
      assert.deepEqual(await books.enteredFor(id), [
        ...['H 625 120', 'D 480 120'],
        ...['D 625 28', 'H 480 28', 'D 625 31', 'H 480 31', 'D 625 31', 'H 480 31'],
      ]);
      const [toDo, ...others] = await toDos();
      assert.match(toDo.title, /2026-04/);
      assert.match(toDo.body, /deferral-runs/);
      assert.deepEqual(others, []);
      assert.deepEqual(await run(), { after: null, companies: 1, entered: 0, failed: 0 });
      assert.equal((await toDos()).length, 1);
      await app.client.patch(`/api/periods/${body.data[0].id}`, { status: 'O' });
      assert.deepEqual(await run(), { after: null, companies: 1, entered: 1, failed: 0 });
      assert.equal((await toDos())[0].status, 'done');
      assert.deepEqual(await run(), { after: null, companies: 0, entered: 0, failed: 0 });
    } finally {
      await (await worker).stop();
    }
  });
});
