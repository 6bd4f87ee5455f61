import assert from 'node:assert/strict';
import { requestSending } from '../../../../services/trade/einvoice/face/request.ts';
import { lastSubmission } from '../../../../services/trade/einvoice/face/submissions.ts';
import { type ComparisonResult, LIFECYCLE_COMPARISON } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { faceId, lookForInvoices } from '../../../../workflows/trade/einvoice/contract.ts';
import { certify, issueToTown, serveTown, startTestAgency } from '../../../helpers/agency.ts';
import { assertSound, use, useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

describe('the workflow that sends invoices to public bodies', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  const agency = use(() => startTestAgency(), { close: (one) => one.close() });
  useWorker(() => testConfig({ url: company.url, ...temporal }, agency.env));

  const handle = () => temporal.client.workflow.getHandle(faceId({ tenantId: company.ctx.tenantId }));
  const send = async () => {
    const now = new Date();
    const id = await issueToTown(company, now);
    await company.run((trx) => requestSending(trx, { ...company.ctx, now }, id, {}));
    return id;
  };
  const status = async (id: string) => (await company.run((trx) => lastSubmission(trx, id)))?.status;
  const becomes = (id: string, expected: string, ms = 60_000) =>
    eventually(async () => assert.equal(await status(id), expected), ms);
  const isEnded = (name: string) =>
    eventually(async () => assert.equal((await handle().describe()).status.name, name), 60_000);
  /** As if the time had come at which it asks again. */
  const hurry = async () => {
    await company.run((trx) => trx.raw('update face_submissions set next_at = now() where next_at is not null'));
    await handle().signal(lookForInvoices, null);
  };
  const move = async (id: string, state: 'accounted' | 'paid') => {
    const one = await company.run((trx) => lastSubmission(trx, id));
    agency.face.move(one?.registryCode as string, state);
    // An exchange under way may have asked before, and puts the next time off again when it ends.
    await eventually(async () => {
      await hurry();
      await becomes(id, state, 3000);
    }, 60_000);
  };

  before(async () => {
    await serveTown(company);
    await certify(company, agency, new Date());
  });

  it('sends what is asked for, follows it, and ends when nothing is left to follow', async () => {
    const [first, second] = await Promise.all([send(), send()]);
    await becomes(first, 'registered');
    await becomes(second, 'registered');
    await move(first, 'accounted');
    await move(first, 'paid');
    assert.equal((await handle().describe()).status.name, 'RUNNING');
    await move(second, 'paid');
    await isEnded('COMPLETED');
    const third = await send();
    await becomes(third, 'registered');
    await move(third, 'paid');
    await isEnded('COMPLETED');
    assert.equal(agency.face.invoices.length, 3);
  });

  it('is started again within the hour if Temporal has lost it', async () => {
    const id = await send();
    await becomes(id, 'registered');
    await handle().terminate();
    await isEnded('TERMINATED');
    // Younger ones may still be in flight.
    const older = `update face_submissions set next_at = now(), created_at = created_at - interval '2 minutes' where next_at is not null`;
    await company.run((trx) => trx.raw(older));
    const { registryCode } = (await company.run((trx) => lastSubmission(trx, id))) ?? assert.fail();
    agency.face.move(registryCode as string, 'paid');
    await eventually(async () => {
      const options = { workflowId: `maintenance/compare ${Math.random()}`, taskQueue: TASKS_QUEUE };
      const { missing = {} } = await temporal.client.workflow.execute<() => Promise<ComparisonResult>>(
        LIFECYCLE_COMPARISON,
        options,
      );
      assert.equal(missing.face, 0);
      assert.equal(await status(id), 'paid');
    }, 60_000);
    await isEnded('COMPLETED');
    await assertSound(company.url);
  });
});
