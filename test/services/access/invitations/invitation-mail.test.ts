import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { invite } from '../../../../services/access/invitations/invitations.ts';
import { heldRole } from '../../../../services/access/roles/held.ts';
import { addCompany } from '../../../helpers/company.ts';
import { deliverMails, type SentMail } from '../../../helpers/mails.ts';
import { NOW, useSystem } from '../sessions/helpers.ts';

describe('mails of invitations', () => {
  const system = useSystem({ each: true });

  const EMAIL = 'berta@example.com';
  const invited = () => system.run((trx) => invite(trx, system.ctx, { email: EMAIL, held: heldRole('viewer') }));

  it('have the same content when retried, and are sent once', async () => {
    await invited();
    const { database } = system.env;
    const dying = () => {
      throw new Error('the process dies here');
    };
    await assert.rejects(deliverMails({ database }, NOW, dying), /dies here/);
    const lost: SentMail[] = [];
    const later = (_: string, mail: object) => {
      lost.push(mail as SentMail);
      return { said: 'later', reason: 'greylisted' } as const;
    };
    await deliverMails({ database }, NOW, later);
    const [sent] = await deliverMails({ database }, NOW);
    assert.deepEqual([sent?.id, sent?.text], [lost[0]?.id, lost[0]?.text]);
    assert.match(String(sent?.text), /#inv_[\w-]{43}/);
    assert.deepEqual(await deliverMails({ database }, NOW), []);
  });

  it('wait if one address gets too many, from any company', async () => {
    const { database } = system.env;
    const hostile = await addCompany(database, '');
    const sentAt = new Date(NOW.getTime() - 3_600_000).toISOString();
    const sent = { tenant_id: hostile.ctx.tenantId, budget: 'invitations', address: EMAIL, sent_at: sentAt };
    await hostile.run((trx) =>
      trx('mail_sendings').insert(Array.from({ length: 20 }, () => ({ ...sent, id: newId(), email_id: newId() }))),
    );
    await invited();
    assert.deepEqual(await deliverMails({ database }, NOW), []);
    const tomorrow = new Date(NOW.getTime() + 24 * 3_600_000);
    assert.equal((await deliverMails({ database }, tomorrow)).length, 1);
  });
});
