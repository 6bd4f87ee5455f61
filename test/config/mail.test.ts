import assert from 'node:assert/strict';
import { loadMail } from '../../config/mail.ts';

const SERVER = { SMTP_URL: 'smtp://erp:secret@mail.example:587', MAIL_FROM: 'erp@example.com' };

describe('configuration of mails', () => {
  function loaded(env: Record<string, string>) {
    const problems: string[] = [];
    return { config: loadMail(env, problems), problems };
  }

  it('makes files, which nobody can answer, without a server', () => {
    const { config, problems } = loaded({});
    assert.deepEqual(problems, []);
    assert.deepEqual([config.smtpUrl, config.recipientsPerHour], [undefined, 500]);
    assert.match(config.from.address, /\.invalid$/);
  });

  it('reads the sender with and without a name', () => {
    for (const [given, from] of [
      ['erp@example.com', { name: 'ERP', address: 'erp@example.com' }],
      [' Back office <erp@example.com>', { name: 'Back office', address: 'erp@example.com' }],
    ] as const) {
      assert.deepEqual(loaded({ ...SERVER, MAIL_FROM: given }).config.from, from);
    }
  });

  it('needs a sender where there is a server, and says what is wrong without the password', () => {
    const { SMTP_URL } = SERVER;
    for (const [env, about] of [
      [{ SMTP_URL }, /^MAIL_FROM is missing/],
      [{ SMTP_URL, MAIL_FROM: 'nobody' }, /^MAIL_FROM is "nobody"/],
      [{ SMTP_URL, MAIL_FROM: 'a@b.example, c@d.example' }, /^MAIL_FROM/],
      [{ SMTP_URL, MAIL_FROM: 'A\nBcc: x <a@b.example>' }, /^MAIL_FROM/],
      [{ ...SERVER, SMTP_URL: 'https://erp:secret@mail.example' }, /^SMTP_URL is not a valid address/],
      [{ ...SERVER, MAIL_RECIPIENTS_PER_HOUR: '-1' }, /^MAIL_RECIPIENTS_PER_HOUR/],
    ] as const) {
      const { problems } = loaded(env);
      assert.equal(problems.length, 1, JSON.stringify(env));
      assert.match(problems[0] ?? '', about);
      assert.doesNotMatch(problems[0] ?? '', /secret/);
    }
  });
});
