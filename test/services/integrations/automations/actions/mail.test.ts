import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sendEmail } from '../../../../../services/integrations/automations/actions/mail.ts';
import { MAX_HTML } from '../../../../../services/messages/mail/render.ts';
import { useDeliveries } from '../../../../helpers/hooks.ts';

describe('a mail of an automation', () => {
  const bench = useDeliveries();

  it('is at most as long as the mails of documents, however long its templates become', async () => {
    const { company } = bench;
    const send = (html: string) => {
      const action = { type: 'email.send', to: 'ana@example.com', subject: 'All of it', body_html: html } as const;
      const runsAs = { userId: null, actor: null };
      const act = {
        automationId: randomUUID(),
        action,
        subject: { company: {}, event: {} },
        key: randomUUID(),
        runId: randomUUID(),
        workflowId: 'run',
        runsAs,
      };
      return company.run((trx) => sendEmail.write(trx, company.ctx, act, { recipientsPerHour: 10 }));
    };
    await assert.rejects(send('x'.repeat(MAX_HTML + 1)), { code: 'validation_failed' });
    const { email_id: id } = await send('x'.repeat(MAX_HTML));
    const sent = await company.rows('select id, subject from emails');
    assert.deepEqual(sent, [{ id, subject: 'All of it' }]);
  });
});
