/** Hands mails to the server of SMTP_URL. */
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { MailConfig } from '../../config/mail.ts';
import type { Answer } from '../../domain/mail/recipients.ts';
import { composed, nodemailer } from './compose.ts';
import type { Mail, Mailer } from './mailer.ts';

/** A server that does not answer in time is tried again later. The whole of a mail must fit the time limit of its activity. */
const STEP_MS = 30_000;
/** The answer to a whole mail may take ten minutes; who waits less sends copies (RFC 5321, section 4.5.3.2.6). */
const SILENCE_MS = 600_000;
const WHOLE_MS = 720_000;
/** Commands whose refusal is about this mail; others are about the server, or how the service is set up. */
const OF_THE_MAIL = /^(MAIL FROM|RCPT TO|DATA)$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

export class SmtpMailer implements Mailer {
  readonly #options: SMTPTransportOptions;
  readonly #from: MailConfig['from'];
  readonly #trouble: (message: string) => void;

  /** @param trouble told what is wrong with the server or its settings, which concerns those who run the service alone */
  constructor(url: string, from: MailConfig['from'], trouble: (message: string) => void = () => undefined) {
    const { username, hostname } = new URL(url);
    this.#options = {
      url,
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      dnsTimeout: STEP_MS,
      socketTimeout: SILENCE_MS,
      // A password does not travel in the clear.
      requireTLS: username !== '' && !LOOPBACK.test(hostname),
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    this.#from = from;
    this.#trouble = trouble;
  }

  async send(mail: Mail, signal?: AbortSignal): Promise<readonly Answer[]> {
    const { createTransport } = await nodemailer();
    const limit = AbortSignal.timeout(WHOLE_MS);
    const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const info = await createTransport(this.#options).sendMail({ ...composed(mail, this.#from), signal: until });
      return answersOf(mail.recipients, info.rejectedErrors ?? []);
    } catch (error) {
      const failure = error as NodemailerError;
      if (failure.code !== 'EABORT' && !OF_THE_MAIL.test(failure.command ?? '')) this.#trouble(failure.message);
      return answersTo(mail.recipients, failure);
    }
  }
}

/** What a server said that took the mail for some. */
function answersOf(recipients: readonly string[], refusals: readonly NodemailerError[]): Answer[] {
  const refused = new Map(refusals.map((error) => [error.recipient, error]));
  return recipients.map((address) => {
    const error = refused.get(address);
    return error === undefined ? { address, said: 'taken', reason: '' } : { address, ...refusalOf(error) };
  });
}

/** What a server said that took the mail for nobody. */
function answersTo(recipients: readonly string[], error: NodemailerError): Answer[] {
  const each = new Map(error.rejectedErrors?.map((one) => [one.recipient, one]));
  return recipients.map((address) => ({ address, ...refusalOf(each.get(address) ?? error) }));
}

/** A refusal is for good if it is about this mail, and the server says so (RFC 5321, section 4.2.1). */
function refusalOf({ code, command = '', response, responseCode, message }: NodemailerError): Omit<Answer, 'address'> {
  const isOfMail = OF_THE_MAIL.test(command);
  if (isOfMail && responseCode !== undefined && responseCode >= 500) {
    return { said: 'refused', reason: response ?? message };
  }
  return { said: 'later', reason: isOfMail && response !== undefined ? response : reasonOf(code) };
}

/** Companies are not told where the server is, nor as whom the service logs in. */
function reasonOf(code: string | undefined): string {
  if (code === 'EABORT') return 'The mail server did not finish in time';
  return `The mail server cannot be used at the moment${code === undefined ? '' : ` (${code})`}`;
}
