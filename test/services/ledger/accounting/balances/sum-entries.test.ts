import assert from 'node:assert/strict';
import {
  rebuildBalances,
  sumEntries,
  sumYear,
} from '../../../../../services/ledger/accounting/balances/sum-entries.ts';
import { closeYear, reopenYear } from '../../../../../services/ledger/accounting/fiscal-years.ts';
import { use, useCompany, useOtherCompany } from '../../../../helpers/hooks.ts';
import { openLedger } from '../../../../helpers/ledger.ts';

/** Whether balances are right is an invariant, which is checked when the suite is over; cases say what is in them, and when. */
describe('sums of entries', () => {
  const company = useCompany({ each: true });
  const ledger = use(() => openLedger(company), { each: true });
  const sum = () => sumEntries(company.database, company.ctx);
  const kept = async (code: string) => {
    const rows = await company.rows(
      `select to_char(month, 'YYYY-MM') as month, kind, debit::float8, credit::float8 from journal_balances
       where account_id = ? order by month, kind`,
      [ledger.account(code)],
    );
    return rows.map(({ month, kind, debit, credit }) => `${month} ${kind} ${debit}/${credit}`);
  };
  const ends = () => company.rows(`select name, next from counters where name like 'journal_balances:%' order by 1`);

  it('include each numbered entry once, by month', async () => {
    await ledger.enter('2026-03-31', { 430: '121', 700: '-100', 477: '-21' });
    await sum();
    assert.deepEqual(await ends(), []);
    await ledger.number();
    await ledger.enter('2026-04-01', { 430: '50', 700: '-50' });
    await sum();
    assert.deepEqual(await kept('430'), ['2026-03 normal 121/0']);
    await ledger.number();
    // Back-dated into a month that is summed: 121 + 7.
    await ledger.enter('2026-03-01', { 430: '7', 700: '-7' });
    await ledger.number();
    await sum();
    await sum();
    assert.deepEqual(await kept('430'), ['2026-03 normal 128/0', '2026-04 normal 50/0']);
    assert.deepEqual(await ends(), [{ name: 'journal_balances:2026', next: 4 }]);
  });

  it('keep kinds, projects and cost centers apart', async () => {
    const [projectId, costCenterId] = [await ledger.project(), await ledger.costCenter()];
    await ledger.enter('2026-05-05', { 629: '10', 410: '-10' }, { line: { projectId } });
    await ledger.enter('2026-05-06', { 629: '20', 410: '-20' }, { line: { costCenterId } });
    await ledger.enter('2026-05-07', { 629: '40', 410: '-40' }, { line: { projectId, costCenterId } });
    await ledger.enter('2026-05-08', { 629: '80', 410: '-80' });
    await ledger.enter('2026-05-08', { 629: '1', 410: '-1' });
    await ledger.number();
    await sum();
    const rows = await company.rows(
      `select project_id is not null as project, cost_center_id is not null as center, debit::float8 from journal_balances
       where account_id = ? order by debit`,
      [ledger.account('629')],
    );
    assert.deepEqual(rows, [
      { project: true, center: false, debit: 10 },
      { project: false, center: true, debit: 20 },
      { project: true, center: true, debit: 40 },
      { project: false, center: false, debit: 81 },
    ]);
  });

  it('stay correct while entries are posted, numbered and summed concurrently', async () => {
    const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2027-01-01'];
    const work = Array.from({ length: 60 }, async (_, index) => {
      await ledger.enter(days[index % days.length] as string, { 430: '1', 700: '-1' });
      if (index % 2 === 0) await ledger.number();
      await sum();
    });
    await Promise.all(work);
    await ledger.number();
    await sum();
    // Each day 12 times; January has two of them.
    assert.deepEqual(await kept('430'), [
      '2025-12 normal 12/0',
      '2026-01 normal 24/0',
      '2026-02 normal 12/0',
      '2027-01 normal 12/0',
    ]);
  });

  it('skip no entry whose transaction commits after later ones were summed', async () => {
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let entered = () => {};
    const posted = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const slow = company.run(async (trx) => {
      const [period] = (await trx.raw(`select id from periods where code = '2026-03'`)).rows;
      await ledger.enterIn(trx, { date: '2026-03-10', periodId: period.id, area: 'general' }, { 430: '5', 700: '-5' });
      entered();
      await held;
    });
    await posted;
    await ledger.enter('2026-03-11', { 430: '3', 700: '-3' });
    await ledger.number();
    await sum();
    assert.deepEqual(await kept('430'), ['2026-03 normal 3/0']);
    commit();
    await slow;
    await ledger.number();
    await sum();
    assert.deepEqual(await kept('430'), ['2026-03 normal 8/0']);
  });

  it('are complete before closing a year changes numbers, and continue when it is reopened', async () => {
    await ledger.enter('2025-02-01', { 572: '100', 700: '-100' });
    await ledger.number();
    await sum();
    await ledger.enter('2025-01-15', { 572: '11', 700: '-11' });
    const { version } = await company.run((trx) => closeYear(trx, company.ctx, 2025, { ifMatch: null }));
    assert.deepEqual(await kept('700'), [
      '2025-01 normal 0/11',
      '2025-02 normal 0/100',
      '2025-12 regularisation 111/0',
    ]);
    await company.run((trx) => reopenYear(trx, company.ctx, 2025, Number(version)));
    await ledger.number();
    await sum();
    assert.deepEqual((await kept('700')).at(-1), '2025-12 regularisation 111/111');
    await company.run((trx) => closeYear(trx, company.ctx, 2025, { ifMatch: null }));
    await sum();
    assert.deepEqual((await kept('700')).at(-1), '2025-12 regularisation 222/111');
  });

  it('never swap a summed entry with one that is not', async () => {
    await ledger.enter('2026-03-01', { 430: '1', 700: '-1' });
    await ledger.number();
    await sum();
    await ledger.enter('2026-02-01', { 430: '1', 700: '-1' });
    await ledger.number();
    const swap = company.run((trx) => trx.raw('update journal_entries set number = 3 - number where number in (1, 2)'));
    await assert.rejects(swap, { code: 'unavailable' });
    await company.run((trx) => sumYear(trx, company.ctx, 2026));
    await company.run((trx) => trx.raw('update journal_entries set number = 3 - number where number in (1, 2)'));
  });

  it('are unchanged when the summing transaction fails', async () => {
    await ledger.enter('2026-03-01', { 430: '1', 700: '-1' });
    await ledger.number();
    const lost = company.run(async (trx) => {
      await sumYear(trx, company.ctx, 2026);
      throw new Error('killed');
    });
    await assert.rejects(lost, /killed/);
    assert.deepEqual(await kept('430'), []);
    await sum();
    assert.deepEqual(await kept('430'), ['2026-03 normal 1/0']);
  });

  it('are committed batch by batch', async () => {
    for (let index = 0; index < 3; index++) await ledger.enter(`2026-0${index + 1}-01`, { 430: '1', 700: '-1' });
    for (let index = 0; index < 2; index++) await ledger.enter(`2025-0${index + 1}-01`, { 430: '1', 700: '-1' });
    await ledger.number();
    await sumEntries(company.database, company.ctx, { batches: 1 });
    assert.deepEqual(await kept('430'), ['2025-01 normal 1/0', '2025-02 normal 1/0']);
    await sumEntries(company.database, company.ctx, { batches: 1 });
    assert.equal((await kept('430')).length, 5);
  });
});

describe('rebuilt balances', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  const ledgers = use(async () => ({ own: await openLedger(company), others: await openLedger(other) }));

  it('are correct again, for the one company', async () => {
    for (const ledger of [ledgers.own, ledgers.others]) {
      await ledger.enter('2025-03-01', { 430: '1', 700: '-1' });
      await ledger.enter('2026-03-01', { 430: '2', 700: '-2' });
      await ledger.number();
    }
    for (const { ctx } of [company, other]) await sumEntries(company.database, ctx);
    const spoil = 'update journal_balances set debit = debit + 1';
    await company.run((trx) => trx.raw(spoil));
    await other.run((trx) => trx.raw(spoil));
    const debits = async ({ rows }: Pick<typeof company, 'rows'>) =>
      (await rows('select debit::float8 from journal_balances order by month, debit')).map(({ debit }) => debit);
    await rebuildBalances(company.database, company.ctx);
    assert.deepEqual(await debits(company), [0, 1, 0, 2]);
    assert.deepEqual(await debits(other), [1, 2, 1, 3]);
    await rebuildBalances(company.database, other.ctx);
    assert.deepEqual(await debits(other), [0, 1, 0, 2]);
  });

  it('are correct while others post, number and sum', async () => {
    const { own } = ledgers;
    const work = Array.from({ length: 20 }, async (_, index) => {
      await own.enter(index % 2 === 0 ? '2026-05-05' : '2027-05-05', { 430: '1', 700: '-1' });
      await own.number();
      if (index % 5 === 0) await rebuildBalances(company.database, company.ctx);
      else await sumEntries(company.database, company.ctx);
    });
    await Promise.all(work);
    const [{ debit } = {}] = await company.rows('select sum(debit)::float8 as debit from journal_balances');
    // 3 of the case before, and 20.
    assert.equal(debit, 23);
  });
});
