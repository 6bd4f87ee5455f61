/** A real SMTP server, which does what a test tells it to. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { use } from './hooks.ts';

/** A mail that the server has taken in. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Raw, as received. */
  readonly message: string;
}

export interface Smtp {
  /** For SMTP_URL. */
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** The refusal of a recipient; undefined accepts the recipient. */
  refuses: (address: string) => SmtpRefusal | undefined;
  /** Awaited after the mail has come, before it is answered; a refusal is the answer. */
  beforeAnswer: (mail: Received) => Promise<SmtpRefusal | undefined>;
  close(): Promise<void>;
}

export interface SmtpRefusal {
  readonly code: number;
  readonly text: string;
}

function refusal({ code, text }: SmtpRefusal): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** @param port that it had before, to come back on */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0): Promise<Smtp> {
  const received: Received[] = [];
  const smtp = {
    received,
    refuses: (_address: string): SmtpRefusal | undefined => undefined,
    beforeAnswer: async (_mail: Received): Promise<SmtpRefusal | undefined> => undefined,
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    ...options,
    onRcptTo({ address }, _session, done) {
      const refused = smtp.refuses(address);
      done(refused === undefined ? null : refusal(refused));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = {
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
        };
        received.push(mail);
        smtp.beforeAnswer(mail).then((refused) => done(refused === undefined ? null : refusal(refused)), done);
      });
    },
  });
  // A client that goes away is what some tests are about.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: own } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return Object.assign(smtp, { port: own, url: `smtp://127.0.0.1:${own}`, close });
}

/** The server while the suite runs, or each case. */
export function useSmtp(options: SMTPServerOptions = {}, { each = false } = {}): Smtp {
  return use(() => startSmtp(options), { each, close: (smtp) => smtp.close() });
}

/** A header of a mail, unfolded; undefined without one. */
export function mailHeader({ message }: Pick<Received, 'message'>, name: string): string | undefined {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const line = head.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

/** A header's words, of which others than ASCII are encoded (RFC 2047). */
export function decodeHeader(header = ''): string {
  const joined = header.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
    form.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
  );
}

/** The first part of a mail that is of a media type, decoded; empty without one. */
export function mailPart({ message }: Pick<Received, 'message'>, type: string): string {
  const part = message.split(/\r\n--[^\r\n]+\r\n/).find((one) => one.startsWith(`Content-Type: ${type}`)) ?? '';
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/^Content-Transfer-Encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  return /^Content-Transfer-Encoding: quoted-printable/im.test(head) ? unquoted(body.replaceAll('=\r\n', '')) : body;
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
