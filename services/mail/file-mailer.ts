/** Writes mails to files when no mail server is set: `<id>.eml`, which mail programs open. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from './mailer.ts';

/** Mails contain tokens: only the service's own user may read them. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export class FileMailer implements Mailer {
  readonly #folder: string;

  /** @param dataDir the service's DATA_DIR */
  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'mail');
  }

  /** Writes the file completely or not at all. */
  async send(mail: Mail, now: Date): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    const path = join(this.#folder, `${mail.id}.eml`);
    const file = await open(`${path}.part`, 'w', FILE_MODE);
    try {
      await file.writeFile(messageOf(mail, now));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  }
}

/** An internet message in UTF-8, headers included (RFC 6532). */
function messageOf({ id, to, subject, text }: Mail, now: Date): string {
  const headers = {
    To: to,
    Subject: subject,
    Date: now.toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${id}@invalid>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`;
}

/** Prevents header injection. */
function oneLine(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, ' ');
}
