import assert from 'node:assert/strict';
import { WorkflowFailedError } from '@temporalio/client';
import type { ImportOptions } from '../../../../services/records/imports/import.ts';
import { startImportTask } from '../../../../services/records/imports/task.ts';
import { useImportTasks } from '../../../helpers/import-tasks.ts';
import { eventually, killed, workerProcess } from '../../../helpers/worker.ts';

describe('imports in the background', function () {
  this.timeout(120_000);

  const { company, temporal, read, ended, result, remove, handle, work } = useImportTasks();

  /** `count` units of measure whose codes begin so; those of `bad` have no name. */
  function file(prefix: string, count: number, bad: readonly number[] = []): Uint8Array {
    const rows = Array.from(
      { length: count },
      (_, row) => `${prefix}${row};${bad.includes(row) ? '' : `Unit ${row}`}\n`,
    );
    return Buffer.from(`code;name\n${rows.join('')}`);
  }
  async function start(content: Uint8Array, options: Partial<ImportOptions> = {}): Promise<string> {
    const task = await company.run((trx) =>
      startImportTask(trx, company.ctx, {
        resource: 'uom',
        role: 'owner',
        permission: 'partners:read' as const,
        name: undefined,
        file: { type: 'text/csv', content },
        options: { mode: 'create', dryRun: false, partial: false, ...options },
      }),
    );
    return task.id;
  }
  const count = async (prefix: string) => {
    const [row] = await company.rows(
      'select count(*)::int as n, count(distinct code)::int as codes from uoms where code like ?',
      [`${prefix}%`],
    );
    assert.equal(row?.n, row?.codes);
    return Number(row?.n);
  };
  const resultFile = async (id: string) =>
    (await company.rows(`select id from files where entity_id = ? and kind = 'task_result'`, [id]))[0]?.id;

  it('waits as running for a worker, then imports all, and keeps the result but not the file', async () => {
    const id = await start(file('ALL', 1200));
    const waiting = await read(id);
    assert.deepEqual([waiting?.status, waiting?.progress], ['running', 0]);
    await work(async () => {
      const task = await ended(id);
      assert.deepEqual(
        {
          status: task?.status,
          progress: task?.progress,
          message: task?.message,
          error: task?.error,
          signed: String(task?.result_url).replace(/=[0-9a-f-]+/g, ''),
        },
        {
          status: 'completed',
          progress: 100,
          message: '1,200 rows, 1,200 created, 0 updated, 0 unchanged',
          error: null,
          signed: `/api/files/${await resultFile(id)}?company&expires&signature`,
        },
      );
      assert.equal(await count('ALL'), 1200);
      assert.deepEqual(await result(id), { rows: 1200, created: 1200, updated: 0, unchanged: 0, errors: [] });
      assert.deepEqual(await company.rows(`select 1 from files where entity_id = ? and kind = 'task_input'`, [id]), []);
      assert.deepEqual(await handle(id).result(), {
        status: 'completed',
        message: task?.message,
        counts: { rows: 1200, created: 1200, updated: 0, unchanged: 0, errors: 0 },
      });
      const described = await handle(id).describe();
      assert.equal(await described.staticSummary(), 'Import of uom');
    });
  });

  it('fails with what to do when the company is full by then, as a whole and in parts, and keeps no row', async () => {
    const tasks = [await start(file('FULL', 600)), await start(file('PART', 600), { partial: true })];
    const { tenantId } = company.ctx;
    await company.rows(
      `insert into storage_changes (tenant_id, kind, bytes, items) values (?, 'recent', 20::bigint * 1024 ^ 3, 1)`,
      [tenantId],
    );
    await work(async () => {
      for (const id of tasks) {
        const task = await ended(id);
        assert.equal(task?.status, 'failed');
        assert.match(String(task?.error), /storage/);
      }
    });
    await company.rows(`delete from storage_changes where tenant_id = ? and kind = 'recent'`, [tenantId]);
    assert.deepEqual([await count('FULL'), await count('PART')], [0, 0]);
  });

  it('keeps nothing of a file with bad rows and says which they are; a trial says it and does not fail', async () => {
    const refused = await start(file('BAD', 700, [3, 650]));
    const trial = await start(file('BAD', 700, [3, 650]), { dryRun: true });
    const kept = await start(file('PART', 700, [3, 650]), { partial: true });
    const errors = [5, 652].map((line) => ({ line, column: 'name', code: 'required', message: 'is required' }));
    await work(async () => {
      const task = await ended(refused);
      assert.equal(task?.status, 'failed');
      assert.equal(task?.error, 'Line 5, name: is required; nothing was imported (700 rows, 2 errors)');
      assert.equal(task?.message, '700 rows, 2 errors');
      assert.deepEqual(await result(refused), { rows: 700, created: 0, updated: 0, unchanged: 0, errors });
      await assert.rejects(handle(refused).result(), (error: unknown) => {
        assert.ok(error instanceof WorkflowFailedError);
        assert.equal(error.cause?.message, 'The work cannot be done: the error of the task says why');
        return true;
      });
      assert.deepEqual([(await ended(trial))?.status, (await result(trial)).errors], ['completed', errors]);
      assert.equal(await count('BAD'), 0);
      assert.equal((await ended(kept))?.status, 'completed');
      assert.deepEqual(await result(kept), { rows: 700, created: 698, updated: 0, unchanged: 0, errors });
      assert.equal(await count('PART'), 698);
    });
  });

  it('a file that is gone or cannot be read fails with a reason and without its insides', async () => {
    const id = await start(Buffer.from('code;name\nA;"open\n'));
    const inParts = await start(Buffer.from('code;colour\nA;red\n'), { partial: true });
    const lost = await start(file('LOST', 1));
    await company.run((trx) => trx('files').where({ entity_id: lost }).delete());
    await work(async () => {
      assert.match(String((await ended(id))?.error), /^Line 2: cannot be read as CSV/);
      assert.match(String((await ended(inParts))?.error), /^Line 1, colour: is not a field/);
      assert.equal((await ended(lost))?.error, 'The file does not exist');
      await assert.rejects(handle(lost).result(), WorkflowFailedError);
    });
  });

  it('a deleted one stops, and nothing that was not committed is', async () => {
    const whole = await start(file('GONE', 20_000));
    const parts = await start(file('SOME', 20_000), { partial: true });
    await work(async () => {
      await eventually(async () => assert.ok(Number((await read(whole))?.progress) > 0, 'not begun'));
      await remove(whole);
      await eventually(async () => assert.ok((await read(parts))?.position, 'no part yet'));
      await remove(parts);
      const after = await count('SOME');
      for (const id of [whole, parts]) {
        await eventually(async () => assert.equal((await handle(id).describe()).status.name, 'CANCELLED'));
      }
      assert.equal(await count('GONE'), 0);
      assert.equal(await count('SOME'), after);
      assert.ok(after % 500 === 0 && after < 20_000, `${after} rows`);
    });
  });

  describe('under way when their worker is killed', () => {
    const ROWS = 8000;
    const imports = [
      { prefix: 'KP', partial: true, bad: [7], atKill: 0, id: '' },
      { prefix: 'KW', partial: false, bad: [], atKill: 0, id: '' },
    ];

    before(async () => {
      for (const one of imports) {
        one.id = await start(file(one.prefix, ROWS, one.bad), { partial: one.partial });
      }
      const victim = await workerProcess({ url: company.url, ...temporal }, 'tasks');
      await eventually(async () => {
        for (const { id } of imports) assert.ok(Number((await read(id))?.progress) >= 10, 'not begun');
      }, 60_000);
      await killed(victim);
      for (const one of imports) {
        assert.equal((await read(one.id))?.status, 'running');
        one.atKill = await count(one.prefix);
      }
      await work(async () => {
        for (const { id } of imports) await ended(id);
      });
    });

    it('have written the parts that were committed, and nothing of a whole', () => {
      const [parts, whole] = imports.map(({ atKill }) => atKill) as [number, number];
      assert.ok(parts > 0 && parts < ROWS, `${parts} rows`);
      assert.equal(whole, 0);
    });

    for (const { prefix, partial, bad } of imports) {
      it(`are finished by the next, with no row twice (partial: ${partial})`, async () => {
        const id = imports.find((one) => one.prefix === prefix)?.id ?? '';
        assert.equal((await read(id))?.status, 'completed');
        const expected = ROWS - bad.length;
        assert.equal(await count(prefix), expected);
        const { created, errors } = await result(id);
        assert.deepEqual({ created, errors: (errors as unknown[]).length }, { created: expected, errors: bad.length });
        const [audited] = await company.rows(
          `select count(*)::int as n from audit_logs where entity_type = 'UnitOfMeasure' and new_value ->> 'code' like ?`,
          [`${prefix}%`],
        );
        assert.equal(audited?.n, expected);
      });
    }
  });
});
