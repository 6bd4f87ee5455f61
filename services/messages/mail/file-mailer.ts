/** Writes mails to files if no mail server is configured: `<id>.eml`, which mail programs can open. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailConfig } from '../../../config/mail.ts';
import type { Answer } from '../../../domain/messages/mail/recipients.ts';
import { composeMessage, loadNodemailer } from './compose.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Mails contain tokens, so only the service's own user may read them. */
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

  /** Writes the file completely or not at all. @throws Error if the disk is full or not writable */
  async send(mail: Mail): Promise<readonly Answer[]> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    const path = join(this.#folder, `${mail.id}.eml`);
    const message = await renderMessage(mail, this.#from);
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

/** Renders the message with its text unencoded, so that people can read it without a mail program. */
async function renderMessage(mail: Mail, from: MailConfig['from']): Promise<Buffer> {
  const { createTransport } = await loadNodemailer();
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await writer.sendMail({ ...composeMessage(mail, from), text: { raw: plainTextPart(mail.text) } });
  return message as Buffer;
}

function plainTextPart(text: string): string {
  const head = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
  return `${head.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`;
}
