import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { newId } from '../../../../db/ids.ts';
import { Membership, User } from '../../../../db/models/access/access.ts';
import { deliverMail, giveUpMail } from '../../../../services/messages/mail/deliver.ts';
import { type NewMail, queueMail } from '../../../../services/messages/mail/queue.ts';
import { storeFile } from '../../../../services/platform/files/files.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { deliverMails, PACE, type Says } from '../../../helpers/mails.ts';

const [ANA, BEA, CARL] = ['ana@example.test', 'bea@example.test', 'carl@example.test'];
const taken = { said: 'taken', reason: '' } as const;
const refused = { said: 'refused', reason: '550 No such user' } as const;
const later = { said: 'later', reason: '451 Greylisted' } as const;

describe('deliverMail', () => {
  const company = useCompany();
  let asked: Context;
  before(async () => {
    const user = { id: newId(), email: 'olga@example.test', name: 'Olga', active: true };
    const times = { created_at: company.ctx.now.toISOString(), updated_at: company.ctx.now.toISOString() };
    await company.database.withSystem(async (trx) => {
      await trx(User.tableName).insert({ ...user, ...times });
      const membership = {
        id: newId(),
        tenant_id: company.ctx.tenantId,
        user_id: user.id,
        role: 'sales',
        active: true,
      };
      await trx(Membership.tableName).insert({ ...membership, ...times });
    });
    asked = { ...company.ctx, userId: user.id, actor: null };
  });

  const queue = (mail: Partial<NewMail> = {}) =>
    company.run((trx) =>
      queueMail(
        trx,
        asked,
        { recipientsPerHour: 0 },
        { kind: 'report', to: ANA, subject: 'Report', text: 'Here it is', ...mail },
      ),
    );
  const deliver = (says?: Says, now = company.ctx.now) => deliverMails(company, now, says);
  const after = (hours: number) => new Date(company.ctx.now.getTime() + hours * 3_600_000);
  const stored = async ({ id }: { readonly id: string }) => {
    const [row] = await company.rows('select status, error, tries, sent_at, recipients from emails where id = ?', [id]);
    return row as { status: string; error: string | null; tries: number; sent_at: string | null; recipients: object[] };
  };
  const told = async ({ id }: { readonly id: string }) =>
    (
      await company.rows(
        `select title from notifications where type = 'email_status' and metadata ->> 'email_id' = ? and user_id = ?`,
        [id, asked.userId],
      )
    ).length;

  it('records once that the server accepted the mail, and notifies its requester', async () => {
    const mail = await queue();
    const [sent] = await deliver();
    assert.deepEqual(sent?.outcome, { outcome: 'sent' });
    assert.deepEqual([(await stored(mail)).status, (await stored(mail)).tries, await told(mail)], ['sent', 1, 1]);
    assert.deepEqual(await deliver(), []);
  });

  it('sends to the recipients whom the server accepts, and names those refused', async () => {
    const mail = await queue({ to: [ANA, BEA, CARL] });
    await deliver((address) => (address === BEA ? refused : taken));
    const { status, error, recipients } = await stored(mail);
    assert.deepEqual([status, error], ['sent', `${BEA}: 550 No such user`]);
    assert.deepEqual(recipients, [
      { address: ANA, status: 'sent', error: null },
      { address: BEA, status: 'failed', error: '550 No such user' },
      { address: CARL, status: 'sent', error: null },
    ]);
    assert.equal(await told(mail), 1);
  });

  it('retries only the recipients whom the server deferred', async () => {
    const mail = await queue({ to: [ANA, BEA] });
    const [first] = await deliver((address) => (address === BEA ? later : taken));
    assert.deepEqual(first?.outcome, { outcome: 'later', seconds: 60, reason: `${BEA}: 451 Greylisted` });
    assert.deepEqual([(await stored(mail)).status, await told(mail)], ['queued', 0]);
    const [second] = await deliver();
    assert.deepEqual([second?.id, second?.to, second?.recipients], [mail.id, `${ANA}, ${BEA}`, [BEA]]);
    assert.deepEqual([(await stored(mail)).status, (await stored(mail)).error], ['sent', null]);
  });

  it('retries for days at growing intervals, and then gives up', async () => {
    const mail = await queue();
    const pauses: number[] = [];
    // 60 + 300 + 900 + 1800 + 3600 s, then 7200 s each: two hours less than five days are 118 h.
    for (const hours of [0, 0.1, 0.2, 0.5, 1, 2, 30, 117]) {
      const [tried] = await deliver(() => later, after(hours));
      if (tried?.outcome.outcome === 'later') pauses.push(tried.outcome.seconds);
    }
    assert.deepEqual(pauses, [60, 300, 900, 1800, 3600, 7200, 7200, 7200]);
    await deliver(() => later, after(118));
    const { status, error } = await stored(mail);
    assert.deepEqual([status, error, await told(mail)], ['failed', '451 Greylisted', 1]);
  });

  it('sends the same mail again if the answer was lost', async () => {
    const mail = await queue();
    const lost = () => {
      throw new Error('the process dies here');
    };
    await assert.rejects(deliver(lost), /dies here/);
    const [again] = await deliver();
    assert.deepEqual([again?.id, again?.queuedAt.toISOString()], [mail.id, company.ctx.now.toISOString()]);
  });

  it('counts a mail as sent when the server answers, however late', async () => {
    const mail = await queue();
    const answeredAt = after(4 / 60);
    const mailer = { send: async () => mail.recipients.map(({ address }) => ({ address, ...taken })) };
    const deps = { database: company.database, kinds: {}, mailer, now: () => answeredAt };
    assert.deepEqual(await deliverMail({ ...deps, pace: PACE }, company.ctx, { emailId: mail.id }), {
      outcome: 'sent',
    });
    assert.equal((await stored(mail)).sent_at, answeredAt.toISOString());
  });

  it('does not send mails settled in the meantime, and gives up once', async () => {
    const mail = await queue();
    let handed = 0;
    const mailer = {
      async send() {
        handed += 1;
        return [];
      },
    };
    const deps = { database: company.database, kinds: {}, mailer, now: () => company.ctx.now };
    assert.deepEqual(await giveUpMail(deps, company.ctx, mail.id, 'Stopped'), { outcome: 'failed' });
    assert.deepEqual(await giveUpMail(deps, company.ctx, mail.id, 'Stopped again'), { outcome: 'failed' });
    assert.deepEqual(await deliverMail({ ...deps, pace: PACE }, company.ctx, { emailId: mail.id }), {
      outcome: 'failed',
    });
    assert.deepEqual(await deliverMail({ ...deps, pace: PACE }, company.ctx, { emailId: newId() }), {
      outcome: 'gone',
    });
    assert.deepEqual([(await stored(mail)).error, await told(mail)], ['Stopped', 1]);
    const sent = await queue();
    await deliver();
    assert.deepEqual(await deliverMail({ ...deps, pace: PACE }, company.ctx, { emailId: sent.id }), {
      outcome: 'sent',
    });
    assert.equal(handed, 0);
  });

  it('attaches files, and fails with the reason if one is missing or they are too large', async () => {
    const file = (bytes: number) =>
      company.run((trx) => {
        const content = Buffer.alloc(bytes, 1);
        return storeFile(trx, asked, { kind: 'sepa_order', name: 'a.xml', contentType: 'text/xml', content });
      });
    const fileId = await file(100);
    const mail = await queue({ attachments: [{ fileId }] });
    const [sent] = await deliver();
    assert.deepEqual(
      sent?.attachments.map(({ name, content }) => [name, content.length]),
      [['a.xml', 100]],
    );
    assert.equal((await stored(mail)).status, 'sent');
    const gone = await queue({ attachments: [{ fileId: newId() }] });
    const large = await queue({ attachments: [{ fileId: await file(20 * 1024 * 1024 + 1) }] });
    assert.deepEqual(await deliver(), []);
    assert.match(String((await stored(gone)).error), /has been deleted/);
    assert.match(String((await stored(large)).error), /must not exceed 20 MiB/);
  });

  describe('with a document', () => {
    const order = async (to: string = ANA) => {
      const lines = [{ description: 'Transporte', quantity: 1, price: 10, taxGroupId: company.taxId }];
      const made = await company.run((trx) =>
        createDocument(trx, company.ctx, 'SO', { partnerId: company.customerId, lines }),
      );
      const id = String(made.id);
      const sent = await company.run((trx) => sendDocument(trx, asked, id, { to, ifMatch: null }));
      return { id, emailId: sent.email.id };
    };
    const sentAt = async (id: string) =>
      (await company.rows('select sent_at from documents where id = ?', [id]))[0]?.sent_at;
    const events = (id: string) =>
      company.rows(`select payload ->> 'to' as "to" from outbox where entity_id = ? and event = 'document.sent'`, [id]);

    it('marks the document as sent when the server has accepted the mail, not before', async () => {
      const { id } = await order();
      await deliver(() => later);
      assert.deepEqual([await sentAt(id), await events(id)], [null, []]);
      const [mail] = await deliver(undefined, after(1));
      assert.equal(mail?.attachments[0]?.contentType, 'application/pdf');
      assert.deepEqual([await sentAt(id), await events(id)], [after(1).toISOString(), [{ to: ANA }]]);
      const [audit] = await company.rows(
        `select user_id from audit_logs where entity_id = ? and action = 'UPDATE' order by created_at desc limit 1`,
        [id],
      );
      assert.equal(audit?.user_id, asked.userId);
    });

    it('emits one event when the server takes the mail for its recipients at different times', async () => {
      const { id } = await order(`${ANA}, ${BEA}`);
      await deliver((address) => (address === BEA ? later : taken));
      const first = await sentAt(id);
      assert.deepEqual([first, await events(id)], [company.ctx.now.toISOString(), [{ to: ANA }]]);
      await deliver(undefined, after(1));
      assert.deepEqual([await sentAt(id), (await events(id)).length], [first, 1]);
    });

    it('keeps the later time when answers to two mails are recorded out of order', async () => {
      const { id } = await order();
      await deliver(undefined, after(2));
      await company.run((trx) => sendDocument(trx, asked, id, { to: ANA, ifMatch: null }));
      await deliver(undefined, after(1));
      assert.equal((await events(id)).length, 2);
      assert.ok(Date.parse(String(await sentAt(id))) > after(2).getTime());
    });

    it('leaves the document unsent when every recipient is refused', async () => {
      const { id, emailId } = await order();
      await deliver(() => refused);
      assert.deepEqual(
        [await sentAt(id), await events(id), (await stored({ id: emailId })).status],
        [null, [], 'failed'],
      );
    });

    it('does not send a document cancelled in the meantime', async () => {
      const { id, emailId } = await order();
      await company.run((trx) => cancelDocument(trx, company.ctx, id, { ifMatch: null }));
      assert.deepEqual(await deliver(), []);
      assert.equal((await stored({ id: emailId })).error, 'The document was cancelled');
    });
  });
});
