/** Takes mails and keeps them as files, for a cluster on one machine: `node mail-server.ts <folder> <port>`. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SMTPServer } from 'smtp-server';

const [folder, port] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: mail-server <folder> <port>');
mkdirSync(folder, { recursive: true });
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    const path = join(folder, `${randomUUID()}.eml`);
    // What has a name ending in .eml is complete.
    pipeline(stream, createWriteStream(`${path}.part`)).then(() => {
      renameSync(`${path}.part`, path);
      done();
    }, done);
  },
});
server.on('error', (error) => console.error(error.message));
server.listen(Number(port), '127.0.0.1', () => console.log(`Keeps mails in ${folder}`));
process.on('SIGTERM', () => process.exit(0));
