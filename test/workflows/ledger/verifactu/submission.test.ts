import assert from 'node:assert/strict';
import { lookForRecords, verifactuId } from '../../../../workflows/ledger/verifactu/contract.ts';
import { type ComparisonResult, LIFECYCLE_COMPARISON } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { certify, issueInvoice, startTestAgency } from '../../../helpers/agency.ts';
import { assertSound, use, useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

describe('the workflow that sends records to the tax agency', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  const agency = use(() => startTestAgency(), { close: (one) => one.close() });
  useWorker(() => testConfig({ url: company.url, ...temporal }, agency.env));

  const id = () => verifactuId({ tenantId: company.ctx.tenantId });
  const handle = () => temporal.client.workflow.getHandle(id());
  const issue = () => issueInvoice(company, new Date());
  const numbers = () => agency.book.entries.flatMap(({ stored }) => stored.map(({ invoice }) => invoice.number));
  const issued = async () =>
    (await company.rows(`select record->'invoice'->>'number' as number from verifactu_records order by seq`, [])).map(
      ({ number }) => number,
    );
  const allArrive = () => eventually(async () => assert.deepEqual(numbers(), await issued()), 60_000);
  const ends = () => eventually(async () => assert.equal((await handle().describe()).status.name, 'COMPLETED'), 60_000);

  it('waits for the company where it needs something, and goes on when it has it', async () => {
    await certify(company, agency, new Date());
    await company.run((trx) => trx.raw('delete from verifactu_certificates'));
    await issue();
    assert.equal(await eventually(() => handle().result(), 120_000), 'stop');
    agency.behaviour.waitSeconds = 1;
    await certify(company, agency, new Date());
    await allArrive();
    await ends();
  });

  it('starts with a record, sends those that follow in its waits, and ends', async () => {
    agency.behaviour.waitSeconds = 2;
    for (let nth = 0; nth < 12; nth++) await issue();
    await allArrive();
    await ends();
    assert.ok(agency.book.entries.length < 12, `${agency.book.entries.length} messages`);
    assert.ok(agency.book.entries.every(({ arrived }) => arrived.every(({ isLinked }) => isLinked)));
    await issue();
    await allArrive();
    await ends();
  });

  it('starts once for postings at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, issue));
    await allArrive();
    await ends();
    const [events] = await company.rows(
      `select count(*)::int as count from outbox where event = 'internal.verifactu_due'`,
      [],
    );
    assert.ok(Number(events?.count) < 12, `${events?.count} events`);
  });

  it('is started again within the hour if Temporal has lost it', async () => {
    agency.behaviour.waitSeconds = 600;
    await issue();
    await allArrive();
    await issue();
    await handle().terminate();
    await eventually(async () => assert.equal((await handle().describe()).status.name, 'TERMINATED'));
    agency.behaviour.waitSeconds = 1;
    // Younger records may still be in flight. The next one moves the head of the chain again.
    const older = `update verifactu_chains set next_send_at = null, generated_at = generated_at - interval '2 minutes'`;
    await company.run((trx) => trx.raw(older));
    await eventually(async () => {
      const { missing = {} } = await temporal.client.workflow.execute<() => Promise<ComparisonResult>>(
        LIFECYCLE_COMPARISON,
        {
          workflowId: `maintenance/compare ${Math.random()}`,
          taskQueue: TASKS_QUEUE,
        },
      );
      assert.equal(missing.verifactu, 0);
      assert.deepEqual(numbers(), await issued());
    }, 60_000);
    await ends();
  });

  it('is made to look again by an operator', async () => {
    agency.behaviour.drop = 'before';
    await issue();
    await eventually(async () => {
      const failed = await company.rows('select 1 from verifactu_chains where failures > 0', []);
      assert.equal(failed.length, 1);
    }, 30_000);
    agency.behaviour.drop = null;
    await company.run((trx) => trx.raw('update verifactu_chains set next_send_at = null'));
    await handle().signal(lookForRecords, null);
    await allArrive();
    await ends();
    await assertSound(company.url);
  });
});
