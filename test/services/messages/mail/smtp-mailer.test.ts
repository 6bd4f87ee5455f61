import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { newId } from '../../../../db/ids.ts';
import type { Mail } from '../../../../services/messages/mail/mailer.ts';
import { SmtpMailer } from '../../../../services/messages/mail/smtp-mailer.ts';
import { mailHeader, startSmtp, useSmtp } from '../../../helpers/smtp.ts';

const FROM = { name: 'ERP', address: 'erp@example.test' };
const ANA = 'ana@example.test';

const makeMail = (changes: Partial<Mail> = {}): Mail => ({
  id: newId(),
  senderName: 'Frutas García, S.L.',
  replyTo: 'ventas@frutas.test',
  to: [ANA],
  cc: [],
  recipients: changes.to ?? [ANA],
  subject: 'Factura SINV2026-00017: año',
  text: 'Buenos días',
  html: '<p>Buenos días</p>',
  attachments: [],
  queuedAt: new Date('2026-06-15T10:00:00Z'),
  ...changes,
});

describe('SmtpMailer', () => {
  const smtp = useSmtp({}, { each: true });
  const send = (mail: Mail, url = smtp.url) => new SmtpMailer(url, FROM).send(mail);

  it('hands over text, HTML, attachment and a stable Message-ID', async () => {
    const content = Buffer.from('%PDF-1.7 invoice');
    const mail = makeMail({ attachments: [{ name: 'Factura año.pdf', contentType: 'application/pdf', content }] });
    assert.deepEqual(await send(mail), [{ address: ANA, said: 'taken', reason: '' }]);
    await send(mail);
    const [first, second] = smtp.received;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([first.from, first.to], [FROM.address, [ANA]]);
    for (const name of ['Message-ID', 'Date', 'Subject', 'To']) {
      assert.equal(mailHeader(first, name), mailHeader(second, name), name);
    }
    assert.equal(mailHeader(first, 'Message-ID'), `<${mail.id}@example.test>`);
    assert.match(String(mailHeader(first, 'From')), /<erp@example\.test>$/);
    assert.equal(mailHeader(first, 'Reply-To'), 'ventas@frutas.test');
    assert.match(first.message, /Content-Type: text\/plain/);
    assert.match(first.message, /Content-Type: text\/html/);
    assert.ok(first.message.includes(content.toString('base64')));
  });

  it('lets no name or subject start another header', async () => {
    const hostile = 'x\r\nBcc: victim@example.test\r\n\r\nHello';
    await send(makeMail({ senderName: hostile, subject: hostile, replyTo: null }));
    const [mail] = smtp.received;
    assert.ok(mail !== undefined);
    assert.deepEqual([mail.to, mailHeader(mail, 'Bcc')], [[ANA], undefined]);
  });

  it('distinguishes permanent refusals from temporary ones, for each recipient', async () => {
    const [nobody, later] = ['nobody@example.test', 'later@example.test'];
    smtp.refuses = (address) => {
      if (address === nobody) return { code: 550, text: 'No such user' };
      return address === later ? { code: 451, text: 'Greylisted' } : undefined;
    };
    assert.deepEqual(await send(makeMail({ to: [ANA, nobody, later] })), [
      { address: ANA, said: 'taken', reason: '' },
      { address: nobody, said: 'refused', reason: '550 No such user' },
      { address: later, said: 'later', reason: '451 Greylisted' },
    ]);
    assert.deepEqual(smtp.received[0]?.to, [ANA]);
    const said = async (...to: string[]) => (await send(makeMail({ to }))).map((answer) => answer.said);
    assert.deepEqual(await said(nobody, later), ['refused', 'later']);
    assert.deepEqual(await said(nobody), ['refused']);
    assert.equal(smtp.received.length, 1);
  });

  it('trusts the answer to the whole mail', async () => {
    const answers = [
      { code: 554, text: 'Spam' },
      { code: 452, text: 'Disk full' },
    ];
    smtp.beforeAnswer = async () => answers.shift();
    const said = async () => (await send(makeMail())).map((answer) => [answer.said, answer.reason]);
    assert.deepEqual(
      [await said(), await said(), await said()],
      [[['refused', '554 Spam']], [['later', '452 Disk full']], [['taken', '']]],
    );
  });

  it('retries later when the server is down, hangs up or does not answer in time', async () => {
    const away = await startSmtp();
    await away.close();
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as { port: number };
    for (const url of [away.url, `smtp://127.0.0.1:${port}`]) {
      const trouble: string[] = [];
      const [answer] = await new SmtpMailer(url, FROM, (message) => trouble.push(message)).send(makeMail());
      assert.equal(answer?.said, 'later');
      // The server's address concerns only the operators.
      assert.match(answer?.reason ?? '', /^The mail server cannot be used at the moment \([A-Z]+\)$/);
      assert.equal(trouble.length, 1);
    }
    rude.close();
    const stop = new AbortController();
    smtp.beforeAnswer = async () => {
      stop.abort();
      return await new Promise(() => undefined);
    };
    const answers = await new SmtpMailer(smtp.url, FROM).send(makeMail(), stop.signal);
    assert.deepEqual(answers, [{ address: ANA, said: 'later', reason: 'The mail server did not finish in time' }]);
  });
});

describe('SmtpMailer with a password', () => {
  const certificate = (name: string) => readFileSync(new URL(`../../../helpers/certificates/${name}`, import.meta.url));
  let logins = 0;
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) => {
    logins++;
    done(username === 'erp' && password === 'p@ss' ? null : new Error('Wrong password'), { user: username });
  };
  const plain = useSmtp({ authOptional: false, allowInsecureAuth: true, onAuth });
  const secret = useSmtp({
    authOptional: false,
    onAuth,
    key: certificate('server.key'),
    cert: certificate('server.pem'),
  });
  const sendTo = async (url: string) => (await new SmtpMailer(url, FROM).send(makeMail()))[0];
  const login = (host: string, password = 'p%40ss') => `smtp://erp:${password}@${host}`;

  it('logs in, and retries later with a wrong password without blaming a recipient', async () => {
    assert.equal((await sendTo(login(`127.0.0.1:${plain.port}`)))?.said, 'taken');
    assert.equal((await sendTo(login(`127.0.0.1:${plain.port}`, 'wrong')))?.said, 'later');
  });

  it('sends no password in plain text to another machine', async () => {
    const before = logins;
    const answer = await sendTo(login(`[::ffff:127.0.0.1]:${plain.port}`));
    // The server has no STARTTLS.
    assert.deepEqual([answer?.said, answer?.reason], ['later', 'The mail server cannot be used at the moment (ETLS)']);
    assert.equal(logins, before);
  });

  it('sends no password to a server without a valid certificate, unless configured to', async () => {
    const url = login(`127.0.0.1:${secret.port}`);
    const before = logins;
    assert.equal((await sendTo(url))?.said, 'later');
    assert.equal(logins, before);
    assert.equal((await sendTo(`${url}?tls.rejectUnauthorized=false`))?.said, 'taken');
  });
});
