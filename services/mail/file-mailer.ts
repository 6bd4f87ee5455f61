/** Writes mails to files when no mail server is set: `<id>.eml`, which mail programs open. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailConfig } from '../../config/mail.ts';
import type { Answer } from '../../domain/mail/recipients.ts';
import { composed, nodemailer } from './compose.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Mails contain tokens: only the service's own user may read them. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export class FileMailer implements Mailer {
  readonly #folder: string;
  readonly #from: MailConfig['from'];

  /** @param dataDir the service's DATA_DIR */
  constructor(dataDir: string, from: MailConfig['from']) {
    this.#folder = join(dataDir, 'mail');
    this.#from = from;
  }

  /** Writes the file completely or not at all. @throws Error when the disk is full or cannot be written */
  async send(mail: Mail): Promise<readonly Answer[]> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    const path = join(this.#folder, `${mail.id}.eml`);
    const message = await messageOf(mail, this.#from);
    const file = await open(`${path}.part`, 'w', FILE_MODE);
    try {
      await file.writeFile(message);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    return mail.recipients.map((address) => ({ address, said: 'taken', reason: '' }));
  }
}

/** Its text is as it is, so that it can be read without a mail program. */
async function messageOf(mail: Mail, from: MailConfig['from']): Promise<Buffer> {
  const { createTransport } = await nodemailer();
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await writer.sendMail({ ...composed(mail, from), text: { raw: readable(mail.text) } });
  return message as Buffer;
}

function readable(text: string): string {
  const head = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
  return `${head.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`;
}
