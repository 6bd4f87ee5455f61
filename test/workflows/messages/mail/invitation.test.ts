import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ROLES } from '../../../../domain/permissions.ts';
import { acceptByToken } from '../../../../services/access/invitations/accept.ts';
import { resendInvitation, withdrawInvitation } from '../../../../services/access/invitations/invitations.ts';
import { createUser } from '../../../../services/access/users/users.ts';
import { emailDeliveryId } from '../../../../workflows/messages/mail/contract.ts';
import { useCompany, useTemporal } from '../../../helpers/hooks.ts';
import { eventually, startWorker, testConfig } from '../../../helpers/worker.ts';

const OWNER = { role: 'owner', permissions: ROLES.owner.permissions };

describe('mails of invitations', function () {
  this.timeout(120_000);
  let dataDir: string;
  let worker: { stop(): Promise<void> } | undefined;
  const company = useCompany();
  const temporal = useTemporal();
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mail-'));
  });
  after(async () => {
    await worker?.stop();
    await rm(dataDir, { recursive: true });
  });

  /** The worker's time. */
  const ctx = () => ({ ...company.ctx, now: new Date() });
  const files = async () => {
    const names = await readdir(join(dataDir, 'mail'));
    return names.filter((name) => name.endsWith('.eml')).map((name) => join(dataDir, 'mail', name));
  };
  const mailTo = async (email: string) => {
    const mails = await Promise.all(
      (await files()).map(async (file) => ({ file, text: await readFile(file, 'utf8') })),
    );
    const found = mails.filter(({ text }) => text.includes(`\r\nTo: ${email}\r\n`));
    assert.ok(found.length > 0, `no mail to ${email}`);
    return found;
  };
  const mailDelivery = async (invitationId: string) => {
    const [mail] = await company.rows('select id from emails where entity_id = ?', [invitationId]);
    return emailDeliveryId({ tenantId: company.ctx.tenantId, emailId: String(mail?.id) });
  };
  const tokenIn = (text: string) => /^inv_[\w-]{43}\r$/m.exec(text)?.[0].trim() ?? '';

  it('are written to a file once a worker runs, readable only by the service, with a working token', async () => {
    const email = 'nueva@example.test';
    const { membership, user } = await company.run((trx) =>
      createUser(trx, ctx(), OWNER, { email, name: 'Nueva', role: 'sales' }),
    );
    const env = { DATA_DIR: dataDir, APP_URL: 'https://erp.example.test/' };
    worker = startWorker(testConfig({ url: company.url, ...temporal }, env));
    const [mail] = await eventually(() => mailTo(email), 60_000);
    assert.ok(mail !== undefined);
    assert.equal((await stat(mail.file)).mode & 0o077, 0);
    assert.match(mail.text, /^«Frutas García» le invita a trabajar con ella\.\r$/m);
    assert.match(mail.text, /abra antes del \d\d\/\d\d\/\d{4} esta/);
    const token = tokenIn(mail.text);
    assert.ok(mail.text.includes(`\r\nhttps://erp.example.test/invitations#${token}\r\n`));

    const handle = temporal.client.workflow.getHandle(await mailDelivery(membership.id));
    assert.deepEqual(await handle.result(), { outcome: 'sent' });
    const history = JSON.stringify(historyToJSON(await handle.fetchHistory()));
    for (const secret of [token, token.slice(4), email]) assert.ok(!history.includes(secret));

    const accepted = await acceptByToken(
      { database: company.database, now: new Date(), requestId: 'test' },
      { token, password: 'correct horse battery' },
    );
    assert.deepEqual([accepted.userId, accepted.membershipId], [user.id, membership.id]);
  });

  it('are sent again with another token, and not at all if the invitation was withdrawn before', async () => {
    const email = 'otra@example.test';
    const { membership } = await company.run((trx) => createUser(trx, ctx(), OWNER, { email, name: 'Otra' }));
    await eventually(() => mailTo(email));
    await company.run((trx) => resendInvitation(trx, ctx(), OWNER, membership.id, null));
    const mails = await eventually(async () => {
      const found = await mailTo(email);
      assert.equal(found.length, 2);
      return found;
    });
    assert.equal(new Set(mails.map(({ text }) => tokenIn(text))).size, 2);

    const gone = await company.run(async (trx) => {
      const at = ctx();
      const invited = await createUser(trx, at, OWNER, { email: 'gone@example.test', name: 'Gone' });
      await withdrawInvitation(trx, at, OWNER, invited.membership.id, null);
      return invited.membership.id;
    });
    const handle = temporal.client.workflow.getHandle(await mailDelivery(gone));
    await eventually(() => handle.describe());
    await assert.rejects(handle.result(), /Workflow execution failed/);
  });
});
