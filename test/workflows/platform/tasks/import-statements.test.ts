/** Statements with more lines than a request imports itself: statement by statement in the background. */
import assert from 'node:assert/strict';
import { BankRule } from '../../../../db/models/bank/statements.ts';
import { Account, BankAccount } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { startStatementTask } from '../../../../services/bank/statements/import-task.ts';
import { IBAN, sample, sampleLine, writeNorma43 } from '../../../helpers/bank-files.ts';
import { useImportTasks } from '../../../helpers/import-tasks.ts';
import { eventually, killed, workerProcess } from '../../../helpers/worker.ts';

describe('imports of bank statements in the background', function () {
  this.timeout(120_000);

  const { company, temporal, read, ended, result, remove, handle, work } = useImportTasks();
  before(async () => {
    await company.run((trx) => insertRow(trx, company.ctx, BankAccount, { name: 'Bank', iban: IBAN, isDefault: true }));
  });

  /** A statement for each of the days of a month, with so many lines each. */
  function file(month: string, days: number, lines: number): Uint8Array {
    const statements = Array.from({ length: days }, (_, day) => {
      const date = `2026-${month}-${String(day + 1).padStart(2, '0')}`;
      const of = Array.from({ length: lines }, (__, at) =>
        sampleLine({ date, valueDate: date, amount: '1', text: `${month} ${day} ${at}` }),
      );
      return sample({ from: date, to: date, lines: of });
    });
    return Buffer.from(writeNorma43(statements));
  }
  const start = async (content: Uint8Array) =>
    (await company.run((trx) => startStatementTask(trx, company.ctx, { content, name: 'norma43.txt' }))).id;
  const done = async (id: string) => Number(((await read(id))?.position as { rows: number } | null)?.rows ?? 0);
  const count = async (month: string) => {
    const sql =
      'select count(*)::int as n, count(distinct statement_id)::int as s from bank_statement_lines where text like ?';
    const [row] = await company.rows(sql, [`${month} %`]);
    return [row?.n, row?.s];
  };

  it('have the report as their result; of the same file twice at once each line is there once', async () => {
    const ids = [await start(file('01', 3, 700)), await start(file('01', 3, 700))];
    await work(async () => {
      for (const id of ids)
        assert.deepEqual([(await ended(id))?.status, (await read(id))?.progress], ['completed', 100]);
      const reports = await Promise.all(ids.map(result));
      const together = (member: string) => reports.reduce((sum, report) => sum + Number(report[member]), 0);
      assert.deepEqual([together('new_lines'), together('duplicates')], [2100, 2100]);
      assert.deepEqual(await count('01'), [2100, 3]);
      assert.deepEqual(
        await company.rows(`select 1 from files where entity_id = ? and kind = 'task_input'`, [ids[0]]),
        [],
      );
    });
  });

  it('read tables by the columns that the caller named, and accept what rules accept, once', async () => {
    await company.run(async (trx) => {
      const { id: accountId } = await Account.query(trx).findOne({ code: '626' }).throwIfNotFound();
      const rule = { name: 'Cargos', text: 'cargo', position: 1, active: true, accept: true, accountId };
      await insertRow(trx, company.ctx, BankRule, rule);
    });
    // 600 charges of 1.00 are 600 entries, written 250 at a time.
    const rows = Array.from({ length: 600 }, (_, at) => `15/05/2026;Cargo ${at};1,00;D`);
    const content = Buffer.from(['Dia;Que;Cuanto;Lado', ...rows].join('\n'));
    const columns = { date: ['Dia'], text: ['Que'], amount: ['Cuanto'], sign: ['Lado'] };
    const [bank] = await company.rows('select id from bank_accounts');
    const table = { content, name: 'mayo.csv', bankAccountId: String(bank?.id), columns };
    const { id } = await company.run((trx) => startStatementTask(trx, company.ctx, table));
    await work(async () => {
      assert.equal((await ended(id))?.status, 'completed');
    });
    const report = await result(id);
    assert.deepEqual([report.new_lines, report.accepted, report.warnings], [600, 600, []]);
    const sql = `select count(*)::int as entries, sum(l.debit)::text as together from journal_entries e
      join journal_lines l on l.entry_id = e.id where e.source_type = 'bank_statement_line' and l.debit > 0`;
    const [sums] = await company.rows(sql);
    assert.deepEqual([sums?.entries, Number(sums?.together)], [600, 600]);
  });

  it('fail with the words of the refusal when the file cannot be imported any more', async () => {
    const id = await start(Buffer.from(file('02', 1, 2)).subarray(0, 200));
    const lost = await start(file('02', 1, 2));
    await company.run((trx) => trx('files').where({ entity_id: lost }).delete());
    await work(async () => {
      assert.match(String((await ended(id))?.error), /^Line \d, .*nothing was imported$/);
      assert.equal((await ended(lost))?.error, 'The file does not exist');
      assert.deepEqual(await count('02'), [0, 0]);
    });
  });

  it('go on after a worker that was killed, with each line once', async () => {
    const id = await start(file('03', 20, 500));
    const victim = await workerProcess({ url: company.url, ...temporal }, 'tasks');
    await eventually(async () => assert.ok((await done(id)) >= 2, 'not begun'), 60_000);
    await killed(victim);
    const before = await done(id);
    assert.ok(before < 20, `${before} statements were done before it was killed`);
    await work(async () => {
      assert.equal((await ended(id))?.status, 'completed');
    });
    assert.deepEqual(await count('03'), [10_000, 20]);
    const report = await result(id);
    assert.deepEqual([report.new_lines, report.duplicates], [10_000, 0]);
  });

  it('stop when the task is deleted: statements are there as wholes', async () => {
    const id = await start(file('04', 20, 500));
    await work(async () => {
      await eventually(async () => assert.ok((await done(id)) >= 1, 'not begun'), 60_000);
      await remove(id);
      await eventually(async () => assert.equal((await handle(id).describe()).status.name, 'CANCELLED'));
    });
    const [lines, statements] = (await count('04')) as [number, number];
    assert.equal(lines, 500 * statements);
    assert.ok(statements < 20, 'it was done before it was deleted');
  });
});
