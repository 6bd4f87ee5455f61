import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { newId } from '../../db/ids.ts';
import { Listener } from '../../db/listener.ts';
import { OUTBOX_CHANNEL } from '../../db/pokes.ts';
import { dueStarts } from '../../worker/lateness.ts';
import { deliveryStart } from '../../workflows/integrations/webhooks/contract.ts';
import { emailStart } from '../../workflows/messages/mail/contract.ts';
import { useCompany, useTemporal, useWorker } from '../helpers/hooks.ts';
import { eventually, testConfig } from '../helpers/worker.ts';

describe('how late workers begin', function () {
  this.timeout(60_000);
  const company = useCompany();
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: company.url, address: temporal.address, namespace: temporal.namespace }));
  const late: string[] = [];
  let listener: Listener;
  before(async () => {
    const options = { url: company.url, channel: OUTBOX_CHANNEL, applicationName: 'test' };
    listener = new Listener(options, {
      notified: (poke) => {
        if (poke.startsWith('late')) late.push(poke);
      },
    });
    await listener.listen();
  });
  after(() => listener?.close());

  /** The client of a relay that handed something over so many seconds ago. */
  const relay = (seconds: number) => {
    const { connection } = temporal.client;
    const { namespace } = temporal;
    const interceptors = { workflow: [dueStarts(() => Date.now() - seconds * 1000)] };
    return new Client({ connection, namespace, interceptors });
  };
  const delivery = () => {
    const input = { tenantId: company.ctx.tenantId, webhookId: newId(), eventId: newId() };
    return deliveryStart(input, { title: 'Late' }, 'webhookDelivery');
  };
  const run = (seconds: number, { workflow, ...options }: ReturnType<typeof delivery>) =>
    relay(seconds).workflow.start(workflow, options);

  it('is reported for each company, for tasks that wait for nothing but a processor', async () => {
    const { workflow, ...mail } = emailStart({ tenantId: newId(), emailId: newId() });
    // The worker first has to teach a new namespace its search attributes.
    await eventually(() => relay(60).workflow.start(workflow, mail));
    await run(60, { ...delivery(), startDelay: 1 } as ReturnType<typeof delivery>);
    await run(0, delivery());
    await run(7, delivery());
    await eventually(() => assert.ok(late.length > 0), 30_000);
    // Both may be in one report, which tells their mean.
    for (const report of late) {
      const [, ms, id] = /^late (\d+) (.+)$/.exec(report) ?? [];
      assert.equal(id, company.ctx.tenantId);
      assert.ok(Number(ms) >= 3500 && Number(ms) < 30_000, report);
    }
  });
});
