/** Rules for every kind of mail: limits for companies and addresses, and headers. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { MAIL_KINDS, type MailKind } from '../../../../domain/messages/mail/kinds.ts';
import { mailRule } from '../../../../domain/messages/mail/rules.ts';
import type { MailHandlers } from '../../../../services/messages/mail/handlers.ts';
import { queueMail } from '../../../../services/messages/mail/queue.ts';
import { SmtpMailer } from '../../../../services/messages/mail/smtp-mailer.ts';
import { addCompany, type Company } from '../../../helpers/company.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { deliverMails, PACE } from '../../../helpers/mails.ts';
import { mailHeader, useSmtp } from '../../../helpers/smtp.ts';

const HOUR = 3_600_000;
const UNSUBSCRIBE = 'https://erp.example.test/unsubscribe';
/** Content as the handlers give it; the link to unsubscribe is offered for every kind. */
const KINDS: MailHandlers = Object.fromEntries(
  MAIL_KINDS.map((kind) => [
    kind,
    {
      prepare: async () => ({
        goes: true as const,
        content: { subject: kind, text: 'Text', html: '<p>Text</p>', unsubscribe: UNSUBSCRIBE },
      }),
    },
  ]),
);

describe('every kind of mail', function () {
  this.timeout(120_000);
  const company = useCompany();
  const smtp = useSmtp();
  const at = (hours: number) => new Date(company.ctx.now.getTime() + hours * HOUR);
  const queue = (from: Company, kind: MailKind, to: string, recipientsPerHour: number) =>
    from.run((trx) => queueMail(trx, from.ctx, { recipientsPerHour }, { kind, to, subject: kind, text: 'Text' }));
  const send = async (time: Date, pace = PACE) =>
    (await deliverMails({ database: company.database, kinds: KINDS, pace }, time)).map(({ to }) => to);

  for (const kind of MAIL_KINDS) {
    it(`of one company has a limit within an hour, beyond which it is refused or waits, and is not lost: ${kind}`, async () => {
      const from = await addCompany(company.database, '');
      const to = Array.from({ length: 5 }, (_, index) => `${kind}-${index}@example.test`);
      const queued: string[] = [];
      for (const address of to) {
        await queue(from, kind, address, 2).then(
          () => queued.push(address),
          (error: { code?: string }) => assert.equal(error.code, 'too_many_requests'),
        );
      }
      const pace = { ...PACE, recipientsPerHour: 2 };
      if (mailRule(kind).beyond === 'refused') assert.equal(queued.length, 2);
      else assert.equal(queued.length, 5);
      const sent = [
        await send(at(0), pace),
        await send(at(0), pace),
        await send(at(1.1), pace),
        await send(at(2.2), pace),
      ];
      assert.deepEqual(sent, [queued.slice(0, 2), [], queued.slice(2, 4), queued.slice(4)]);
    });

    it(`to one address has a limit within a day, over all companies and spellings: ${kind}`, async () => {
      const { budget, perAddress } = mailRule(kind);
      const most = perAddress === 'setting' ? PACE.perAddressPerDay : perAddress;
      const name = `victim-${kind}`;
      const [one, other, last] = [
        await addCompany(company.database, ''),
        await addCompany(company.database, ''),
        company,
      ];
      const fill = (from: Company, n: number) =>
        from.run((trx) =>
          trx('mail_sendings').insert(
            Array.from({ length: n }, () => ({
              ...{ id: newId(), tenant_id: from.ctx.tenantId, email_id: newId(), budget },
              ...{ address: `${name}@example.test`, sent_at: at(0).toISOString() },
            })),
          ),
        );
      await fill(one, most / 2);
      await queue(one, kind, `${name}@example.test`, 0);
      assert.deepEqual(await send(at(1)), [], 'one company has half of the limit');
      await queue(last, kind, `${name}+a@Example.test`, 0);
      assert.deepEqual(await send(at(1)), [`${name}+a@Example.test`]);
      await fill(other, most / 2 - 1);
      await queue(last, kind, `${name}+b@example.test`, 0);
      assert.deepEqual(await send(at(1)), []);
      const rest = [`${name}@example.test`, `${name}+b@example.test`];
      assert.deepEqual((await send(at(24.5))).sort(), rest.sort());
    });

    it(`has the headers of its kind: ${kind}`, async () => {
      const { sender, unsubscribes } = mailRule(kind);
      const mailbox = `${kind}@headers.test`;
      const mail = await queue(company, kind, mailbox, 0);
      const from = { name: 'ERP', address: 'erp@example.test' };
      const mailer = new SmtpMailer(smtp.url, from);
      const [handed] = await deliverMails({ database: company.database, kinds: KINDS }, at(48));
      assert.ok(handed !== undefined);
      const { outcome: _, ...sent } = handed;
      for (let time = 0; time < 2; time++)
        await mailer.send({ ...sent, to: [mailbox], replyTo: sent.replyTo && 'us@example.test' });
      const [first, again] = smtp.received.filter(({ to }) => to.includes(mailbox));
      assert.ok(first !== undefined && again !== undefined);
      const names = [
        'From',
        'To',
        'Subject',
        'Date',
        'Message-ID',
        'MIME-Version',
        'Auto-Submitted',
        'List-Unsubscribe',
      ];
      for (const name of names) assert.equal(mailHeader(first, name), mailHeader(again, name), name);
      assert.equal(mailHeader(first, 'Message-ID'), `<${mail.id}@example.test>`);
      assert.equal(mailHeader(first, 'To'), mailbox);
      assert.equal(mailHeader(first, 'Subject'), kind);
      assert.equal(mailHeader(first, 'Auto-Submitted'), 'auto-generated');
      assert.equal(mailHeader(first, 'X-Auto-Response-Suppress'), 'All');
      assert.match(
        String(mailHeader(first, 'From')),
        sender === 'service' ? /^ERP <erp@example\.test>$/ : /<erp@example\.test>$/,
      );
      assert.equal(sent.senderName === null, sender === 'service');
      if (sender === 'service') assert.equal(mailHeader(first, 'Reply-To'), undefined);
      assert.equal(mailHeader(first, 'List-Unsubscribe'), unsubscribes ? `<${UNSUBSCRIBE}>` : undefined);
      assert.equal(mailHeader(first, 'List-Unsubscribe-Post'), unsubscribes ? 'List-Unsubscribe=One-Click' : undefined);
      for (const part of ['text/plain', 'text/html']) assert.ok(first.message.includes(`Content-Type: ${part}`), part);
    });
  }

  it('waits for its turn in order, each an hour after so many before it, and payslips gain the time', async () => {
    const from = await addCompany(company.database, '');
    for (let index = 0; index < 6; index++) await queue(from, 'payslip', `turn-${index}@example.test`, 2);
    const pace = { ...PACE, recipientsPerHour: 2 };
    assert.equal((await send(at(100), pace)).length, 2);
    const rows = await from.rows("select addressees, give_up_at from emails where status = 'queued' order by id");
    const days = rows.map(({ give_up_at: end }) => (Date.parse(String(end)) - at(100).getTime()) / HOUR / 24);
    assert.equal(rows.length, 4);
    assert.ok(
      days.every((left) => left > 5),
      String(days),
    );
    assert.ok((days[3] ?? 0) > (days[0] ?? 0), String(days));
  });
});
