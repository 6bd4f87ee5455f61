/** Sends mails through the server at SMTP_URL. */
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { MailConfig } from '../../../config/mail.ts';
import type { Answer } from '../../../domain/messages/mail/recipients.ts';
import { composeMessage, loadNodemailer } from './compose.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Timeouts, after which the mail is retried later. The whole exchange must fit into the timeout of its activity. */
const STEP_TIMEOUT_MS = 30_000;
/** A server may take ten minutes to answer a whole mail; a shorter timeout would send duplicates (RFC 5321, section 4.5.3.2.6). */
const SILENCE_TIMEOUT_MS = 600_000;
const TOTAL_TIMEOUT_MS = 720_000;
/** Commands whose refusal concerns this mail; other refusals concern the server or the service's settings. */
const MAIL_COMMANDS = /^(MAIL FROM|RCPT TO|DATA)$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

export class SmtpMailer implements Mailer {
  readonly #options: SMTPTransportOptions;
  readonly #from: MailConfig['from'];
  readonly #trouble: (message: string) => void;

  /** @param trouble called with faults of the server or its settings, which concern only the operators of the service */
  constructor(url: string, from: MailConfig['from'], trouble: (message: string) => void = () => undefined) {
    const { username, hostname } = new URL(url);
    this.#options = {
      url,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      // A password must not be sent in plain text.
      requireTLS: username !== '' && !LOOPBACK.test(hostname),
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    this.#from = from;
    this.#trouble = trouble;
  }

  async send(mail: Mail, signal?: AbortSignal): Promise<readonly Answer[]> {
    const { createTransport } = await loadNodemailer();
    const limit = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const info = await createTransport(this.#options).sendMail({
        ...composeMessage(mail, this.#from),
        signal: until,
      });
      return partialAnswers(mail.recipients, info.rejectedErrors ?? []);
    } catch (error) {
      const failure = error as NodemailerError;
      if (failure.code !== 'EABORT' && !MAIL_COMMANDS.test(failure.command ?? '')) this.#trouble(failure.message);
      return failureAnswers(mail.recipients, failure);
    }
  }
}

/** Answers of a server that accepted the mail for some recipients. */
function partialAnswers(recipients: readonly string[], refusals: readonly NodemailerError[]): Answer[] {
  const refused = new Map(refusals.map((error) => [error.recipient, error]));
  return recipients.map((address) => {
    const error = refused.get(address);
    return error === undefined ? { address, said: 'taken', reason: '' } : { address, ...interpretRefusal(error) };
  });
}

/** Answers of a server that accepted the mail for nobody. */
function failureAnswers(recipients: readonly string[], error: NodemailerError): Answer[] {
  const each = new Map(error.rejectedErrors?.map((one) => [one.recipient, one]));
  return recipients.map((address) => ({ address, ...interpretRefusal(each.get(address) ?? error) }));
}

/** Interprets a refusal: permanent if it concerns this mail and the server says so (RFC 5321, section 4.2.1). */
function interpretRefusal({
  code,
  command = '',
  response,
  responseCode,
  message,
}: NodemailerError): Omit<Answer, 'address'> {
  const isOfMail = MAIL_COMMANDS.test(command);
  if (isOfMail && responseCode !== undefined && responseCode >= 500) {
    return { said: 'refused', reason: response ?? message };
  }
  return { said: 'later', reason: isOfMail && response !== undefined ? response : failureReason(code) };
}

/** Describes a failure without revealing the server's address or the service's login. */
function failureReason(code: string | undefined): string {
  if (code === 'EABORT') return 'The mail server did not finish in time';
  return `The mail server cannot be used at the moment${code === undefined ? '' : ` (${code})`}`;
}
