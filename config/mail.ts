/** Settings for outgoing mail. */
import { integer, type Problems, text } from './parse.ts';

type Env = Record<string, string | undefined>;

export interface MailConfig {
  /** The mail server; undefined = mails become files in `dataDir`. */
  readonly smtpUrl: string | undefined;
  /** The sender's address, and the name that mails of the service itself show. */
  readonly from: { readonly name: string; readonly address: string };
  /** Maximum recipients of a company's mails within an hour; 0 = no limit. */
  readonly recipientsPerHour: number;
  /** Maximum mails of companies to one address within a day, from all of them together; 0 = no limit. */
  readonly perAddressPerDay: number;
}

/** Sender of mails stored as files, which nobody can answer. */
const NOBODY = { name: 'ERP', address: 'no-reply@erp.invalid' };

const ADDRESS = /^[^\s@,;:<>()[\]"\\]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

/** Loads SMTP_URL, MAIL_FROM, MAIL_RECIPIENTS_PER_HOUR and MAIL_PER_ADDRESS_PER_DAY. */
export function loadMail(env: Env, problems: Problems): MailConfig {
  const smtpUrl = text(env, 'SMTP_URL');
  if (smtpUrl !== undefined && !isSmtpUrl(smtpUrl)) {
    // The value may contain a password, so it is not repeated.
    problems.push(
      'SMTP_URL is not a valid address: give smtp://user:password@host:587 or smtps://user:password@host:465',
    );
  }
  const from = text(env, 'MAIL_FROM');
  if (from === undefined && smtpUrl !== undefined) {
    problems.push('MAIL_FROM is missing: with SMTP_URL give the address that mails come from');
  }
  const sender = from === undefined ? NOBODY : parseSender(from);
  if (sender === null)
    problems.push(`MAIL_FROM is "${from}": give an address, or a name with one as in ERP <erp@example.com>`);
  return {
    smtpUrl,
    from: sender ?? NOBODY,
    recipientsPerHour: integer(env, 'MAIL_RECIPIENTS_PER_HOUR', { default: 500, min: 0, max: 10_000_000 }, problems),
    perAddressPerDay: integer(env, 'MAIL_PER_ADDRESS_PER_DAY', { default: 200, min: 0, max: 10_000_000 }, problems),
  };
}

function isSmtpUrl(value: string): boolean {
  return URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '';
}

function parseSender(value: string): MailConfig['from'] | null {
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(value) ?? [];
  const address = (bracketed ?? value).trim();
  return ADDRESS.test(address) ? { name: name.trim() || NOBODY.name, address } : null;
}
