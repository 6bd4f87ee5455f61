/** Quotations expire by a timer of their lifecycle. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { answerQuotation } from '../../../../services/trade/quotations/answer.ts';
import { issueQuotation } from '../../../../services/trade/quotations/issue.ts';
import { reviseQuotation } from '../../../../services/trade/quotations/revise.ts';
import { documentLifecycleId } from '../../../../workflows/trade/documents/contract.ts';
import { useCompany, useTemporal } from '../../../helpers/hooks.ts';
import { eventually, killed, workerProcess } from '../../../helpers/worker.ts';

const ANY = { ifMatch: null };

describe('the lifecycle of a quotation', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  let working: Awaited<ReturnType<typeof workerProcess>>;
  before(async () => {
    working = await workerProcess({ url: company.url, ...temporal }, 'documents');
  });
  after(() => killed(working));

  const handle = (id: string) => temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, id));
  const status = async (id: string) => (await company.run((trx) => readDocument(trx, id))).status;
  /** A quotation that was sent, and is over in some seconds. */
  async function sent(seconds: number): Promise<string> {
    const { ctx, customerId: partnerId, itemId } = company;
    return await company.run(async (trx) => {
      const input = { partnerId, lines: [{ itemId, quantity: 1 }], validUntil: '2026-06-30' };
      const { id } = await createDocument(trx, ctx, 'SQ', input);
      await issueQuotation(trx, ctx, id, ANY);
      const at = new Date(Date.now() + seconds * 1000).toISOString();
      await trx('documents').where({ id }).update({ expires_at: at });
      return id;
    });
  }

  it('lets it expire, which ends it; a new version begins it again', async () => {
    const id = await sent(4);
    await eventually(async () => assert.equal(await status(id), 'E'), 60_000);
    await eventually(async () => assert.equal((await handle(id).describe()).status.name, 'COMPLETED'), 60_000);
    const [audit] = await company.rows(
      `select actor from audit_logs where entity_id = ? and action = 'UPDATE' order by id desc limit 1`,
      [id],
    );
    assert.match(String(audit?.actor), /^workflow:/);
    await company.run((trx) => reviseQuotation(trx, { ...company.ctx, now: new Date() }, id, ANY));
    await eventually(async () => assert.equal((await handle(id).describe()).status.name, 'RUNNING'), 60_000);
  });

  it('leaves one that was accepted in time as it is', async () => {
    const id = await sent(6);
    await company.run((trx) => answerQuotation(trx, company.ctx, id, 'accept', {}, ANY));
    await eventually(async () => {
      const view = (await handle(id).query('state')) as { readonly status: string };
      assert.equal(view.status, 'A');
    }, 60_000);
    await new Promise((resolve) => setTimeout(resolve, 7000));
    assert.equal(await status(id), 'A');
    const events = ((await handle(id).fetchHistory()).events ?? []).map((event) => Object.keys(event).join());
    assert.ok(!events.some((names) => names.includes('timerFiredEventAttributes')));
  });
});
