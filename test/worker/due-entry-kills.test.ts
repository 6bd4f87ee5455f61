import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { Loan } from '../../db/models/ledger/loans.ts';
import { insertRow } from '../../db/write.ts';
import { createEntry } from '../../services/bank/manual-entries/manual.ts';
import { drawLoan } from '../../services/ledger/loans/acts.ts';
import { prepareNewLoan } from '../../services/ledger/loans/prepare.ts';
import { DUE_ENTRIES } from '../../workflows/contracts/due-entries/contract.ts';
import { DUE_ENTRIES_ID } from '../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../workflows/platform/tasks/contract.ts';
import { addCompany, type Company } from '../helpers/company.ts';
import { assertSound } from '../helpers/hooks.ts';
import { type KillableService, killableService } from '../helpers/killable.ts';

/** More than three transactions of reversals, and than one of instalments. */
const ENTRIES = 700;
const LOANS = 40;
/** From February to the end of May. */
const INSTALMENTS = 4;

describe('kills while entries are made that are due', function () {
  this.timeout(900_000);
  let service: KillableService;
  let database: Database;
  let company: Company;
  let accounts: ReadonlyMap<string, string>;

  before(async () => {
    service = await killableService({}, TASKS_QUEUE);
    await service.postgres.start();
    await migrate(service.url);
    database = new Database({ url: service.url, poolSize: 5, applicationName: 'test' });
    company = await addCompany(database, service.url);
    const found = (await company.rows('select code, id from accounts')) as { code: string; id: string }[];
    accounts = new Map(found.map(({ code, id }) => [code, id]));
    await accrue();
    await borrow();
    await Promise.all([service.temporal.start(), service.worker.start()]);
  });
  after(async () => {
    await database.close();
    await service.close();
  });

  const account = (code: string) => accounts.get(code) as string;

  async function accrue(): Promise<void> {
    const lines = [
      { accountId: account('662'), debit: 1 },
      { accountId: account('572'), credit: 1 },
    ];
    const entry = { date: '2026-04-30', reversesOn: '2026-05-01', post: true, lines };
    await company.run(async (trx) => {
      for (let number = 0; number < ENTRIES; number++) await createEntry(trx, company.ctx, entry);
    });
  }

  async function borrow(): Promise<void> {
    const terms = {
      principal: '400',
      annualRate: '6',
      instalments: INSTALMENTS,
      method: 'linear',
      startsOn: '2026-01-31',
    };
    const kept = { longTermAccountId: account('170'), shortTermAccountId: account('520') };
    const paid = { interestAccountId: account('662'), bankAccountId: account('572') };
    await company.run(async (trx) => {
      for (let number = 1; number <= LOANS; number++) {
        const given = { ...terms, ...kept, ...paid, code: `L${number}`, name: 'Préstamo' };
        const { id } = await insertRow(trx, company.ctx, Loan, await prepareNewLoan(trx, given));
        await drawLoan(trx, company.ctx, id, {}, null);
      }
    });
  }

  /** A worker that is gone is missed after a minute. */
  async function killAll(): Promise<void> {
    for (const part of [service.worker, service.postgres, service.worker]) {
      await delay(2500);
      await part.kill();
      await delay(500);
      await part.start();
    }
  }

  it('make each exactly once', async () => {
    const connection = await Connection.connect({ address: service.address });
    const { workflow } = new Client({ connection });
    const options = { workflowId: DUE_ENTRIES_ID, taskQueue: TASKS_QUEUE };
    const run = await workflow.start(DUE_ENTRIES, options);
    await Promise.all([run.result(), killAll()]);
    // A company whose connection was lost in the middle may have failed; the next run does the rest.
    await workflow.execute(DUE_ENTRIES, options);
    await connection.close();
    const [reversed] = await company.rows(
      `select count(*)::int as entries, count(distinct reversal_of)::int as originals from journal_entries
       where reversal_of is not null and source_type is null`,
    );
    assert.deepEqual(reversed, { entries: ENTRIES, originals: ENTRIES });
    const loans = await company.rows(
      `select l.status, count(*)::int as instalments, count(distinct m.date)::int as days from loans l
       join loan_movements m on m.loan_id = l.id and m.kind = 'instalment' and m.standing group by l.id, l.status`,
    );
    const repaid = { status: 'repaid', instalments: INSTALMENTS, days: INSTALMENTS };
    assert.deepEqual(loans, Array(LOANS).fill(repaid));
    assert.deepEqual(await company.rows('select id from planned_reversals'), []);
    await assertSound(service.url);
  });
});
