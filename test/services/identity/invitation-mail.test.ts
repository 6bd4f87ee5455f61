import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import { mailInvitation } from '../../../services/identity/invitation-mail.ts';
import { invite } from '../../../services/identity/invitations.ts';
import type { Mail } from '../../../services/mail/mailer.ts';
import { addCompany } from '../../helpers/company.ts';
import { NOW, useSystem } from './helpers.ts';

describe('mails of invitations', () => {
  const system = useSystem({ each: true });

  const EMAIL = 'berta@example.com';
  const sender = (sent: Mail[], fails = 0) => {
    let failures = fails;
    return {
      database: system.env.database,
      encryptionKey: 'the encryption key of the tests, 32 characters and more',
      appUrl: 'https://erp.example.test',
      mailer: {
        async send(mail: Mail) {
          sent.push(mail);
          if (failures-- > 0) throw new Error('the process dies here');
        },
      },
    };
  };

  it('are the same when they are repeated, and sent once', async () => {
    const { id } = await system.run((trx) => invite(trx, system.ctx, { email: EMAIL, role: 'viewer' }));
    const which = { tenantId: system.ctx.tenantId, invitationId: id };
    const sent: Mail[] = [];
    const deps = sender(sent, 1);
    await assert.rejects(mailInvitation(deps, which, NOW));
    assert.deepEqual(await mailInvitation(deps, which, NOW), { sent: true, waitSeconds: 0 });
    assert.deepEqual(await mailInvitation(deps, which, NOW), { sent: false, waitSeconds: 0 });
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[0], sent[1]);
  });

  it('wait where one address gets too many, whoever sends them', async () => {
    const { database } = system.env;
    const hostile = await addCompany(database, '');
    const past = new Date(NOW.getTime() - 3_600_000).toISOString();
    await hostile.run((trx) =>
      trx('invitations').insert(
        Array.from({ length: 20 }, () => ({
          ...{
            id: newId(),
            tenant_id: hostile.ctx.tenantId,
            user_id: newId(),
            email: EMAIL,
            name: 'x',
            role: 'viewer',
          },
          ...{ status: 'withdrawn', last_mail_at: past, expires_at: past, mails: 1, mail_id: newId(), mailed_at: past },
          ...{ created_at: past, updated_at: past },
        })),
      ),
    );
    const { id } = await system.run((trx) => invite(trx, system.ctx, { email: EMAIL, role: 'viewer' }));
    const which = { tenantId: system.ctx.tenantId, invitationId: id };
    const sent: Mail[] = [];
    assert.deepEqual(await mailInvitation(sender(sent), which, NOW), { sent: false, waitSeconds: 3600 });
    const tomorrow = new Date(NOW.getTime() + 24 * 3_600_000);
    assert.deepEqual(await mailInvitation(sender(sent), which, tomorrow), { sent: true, waitSeconds: 0 });
    assert.equal(sent.length, 1);
  });
});
