import assert from 'node:assert/strict';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { queueMail } from '../../../../services/messages/mail/queue.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { createTemplate } from '../../../../services/trade/mail-templates/templates.ts';
import { emailDeliveryId } from '../../../../workflows/messages/mail/contract.ts';
import { useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { decodeHeader, mailHeader, mailPart, startSmtp, useSmtp } from '../../../helpers/smtp.ts';
import { eventually, killed, testConfig, workerProcess } from '../../../helpers/worker.ts';

const ANA = 'ana@example.test';
const MAIL_FROM = 'ERP <erp@example.test>';

describe('the mail delivery workflow', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  const smtp = useSmtp();
  const handle = (emailId: string) =>
    temporal.client.workflow.getHandle(emailDeliveryId({ tenantId: company.ctx.tenantId, emailId }));
  const ctx = () => ({ ...company.ctx, now: new Date() });
  const queue = async (subject: string) =>
    (
      await company.run((trx) =>
        queueMail(
          trx,
          ctx(),
          { recipientsPerHour: 0 },
          { kind: 'report', to: ANA, subject, text: 'A text that is secret' },
        ),
      )
    ).id;
  const mailStatus = async (id: string) =>
    (await company.rows('select status, error from emails where id = ?', [id]))[0];
  const got = (id: string, from = smtp) =>
    from.received.filter((mail) => mailHeader(mail, 'Message-ID') === `<${id}@example.test>`);
  const env = (url = smtp.url) => ({ SMTP_URL: url, MAIL_FROM });

  describe('on a worker that is killed', () => {
    it('sends a mail again with the same Message-ID if the answer was lost, and only then', async () => {
      const servers = { url: company.url, ...temporal };
      const victim = await workerProcess(servers, 'mail', env());
      const relay = await workerProcess(servers, 'documents', env());
      try {
        const sent = await queue('Answered');
        assert.deepEqual(await eventually(() => handle(sent).result(), 60_000), { outcome: 'sent' });
        const lost = await new Promise<string>((resolve, reject) => {
          // The server has accepted the whole mail, and the worker dies before the answer.
          smtp.beforeAnswer = async ({ message }) => {
            smtp.beforeAnswer = async () => undefined;
            await killed(victim);
            resolve(String(mailHeader({ message }, 'Message-ID')).slice(1).split('@')[0] as string);
            return undefined;
          };
          queue('Lost').catch(reject);
        });
        assert.equal((await mailStatus(lost))?.status, 'queued');
        const other = await workerProcess(servers, 'mail', env());
        assert.deepEqual(await handle(lost).result(), { outcome: 'sent' });
        assert.deepEqual([got(lost).length, got(sent).length], [2, 1]);
        assert.equal(
          mailHeader(got(lost)[0] ?? { message: '' }, 'Date'),
          mailHeader(got(lost)[1] ?? { message: '' }, 'Date'),
        );
        await killed(other);
      } finally {
        await killed(relay);
      }
    });
  });

  describe('on a running worker', () => {
    useWorker(() => testConfig({ url: company.url, ...temporal }, env()));

    it("attaches the document's PDF, and leaves neither text nor address in the history", async () => {
      const lines = [{ description: 'Transporte', quantity: 1, price: 10, taxGroupId: company.taxId }];
      const order = await company.run((trx) =>
        createDocument(trx, ctx(), 'SO', { partnerId: company.customerId, lines }),
      );
      const sent = await company.run((trx) =>
        sendDocument(trx, ctx(), String(order.id), { to: ANA, body: 'A text that is secret', ifMatch: null }),
      );
      assert.deepEqual(await eventually(() => handle(sent.email.id).result(), 90_000), { outcome: 'sent' });
      const [mail] = got(sent.email.id);
      assert.match(String(mail?.message), /Content-Type: application\/pdf/);
      assert.match(String(mail?.message), new RegExp(`^${Buffer.from('%PDF-1').toString('base64').slice(0, 8)}`, 'm'));
      const history = JSON.stringify(historyToJSON(await handle(sent.email.id).fetchHistory()));
      for (const secret of [ANA, 'A text that is secret']) assert.ok(!history.includes(secret), secret);
    });

    it("sends the company's own template as text and HTML, with the PDF", async () => {
      const template = {
        docType: 'SO',
        language: 'es',
        subject: 'Su pedido {{ document.number }} ✓',
        body: 'Total: {{ document.total }}',
        bodyHtml: '<h1>{{ partner.name }}</h1><b>{{ document.number }}</b>',
      } as const;
      await company.run((trx) => createTemplate(trx, ctx(), template));
      const lines = [{ description: 'Transporte', quantity: 1, price: 10, taxGroupId: company.taxId }];
      const order = await company.run((trx) =>
        createDocument(trx, ctx(), 'SO', { partnerId: company.customerId, lines }),
      );
      const sent = await company.run((trx) => sendDocument(trx, ctx(), String(order.id), { to: ANA, ifMatch: null }));
      assert.deepEqual(await eventually(() => handle(sent.email.id).result(), 90_000), { outcome: 'sent' });
      const [mail = assert.fail('no mail')] = got(sent.email.id);
      assert.equal(decodeHeader(mailHeader(mail, 'Subject')), `Su pedido ${order.code} ✓`);
      assert.match(mailPart(mail, 'text/plain'), /^Total: \d+,\d\d\s€/);
      assert.match(mailPart(mail, 'text/html'), new RegExp(`^<h1>.+</h1><b>${order.code}</b>`));
      assert.match(mailPart(mail, 'application/pdf'), /^%PDF-1/);
    });

    it('waits while the server is down, and sends the mail afterwards', async () => {
      await smtp.close();
      const id = await queue('Away');
      await eventually(async () => assert.match(String((await mailStatus(id))?.error), /cannot be used/), 60_000);
      const again = await startSmtp({}, smtp.port);
      try {
        // Operators use Pending Activities › Reset; the retry itself would take a minute.
        const execution = { workflowId: await temporal.client.names.workflowId(handle(id).workflowId) };
        const { namespace, client } = temporal;
        await client.workflowService.resetActivity({ namespace, execution, type: 'deliverEmail' });
        assert.deepEqual(await handle(id).result(), { outcome: 'sent' });
        assert.equal(got(id, again).length, 1);
      } finally {
        await again.close();
      }
    });

    it('fails with the reason when an operator stops the mail', async () => {
      const id = await queue('Stopped');
      await eventually(async () => assert.match(String((await mailStatus(id))?.error), /cannot be used/), 60_000);
      await handle(id).cancel();
      await assert.rejects(handle(id).result());
      assert.deepEqual(await mailStatus(id), { status: 'failed', error: 'It was stopped by an operator' });
    });
  });
});
