/** The stand-in for FACe as a program: `npm run face`. Takes commands from its standard input. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { openAuthority } from '../aeat/authority.ts';
import { FOLDER, port } from '../aeat/options.ts';
import { type FaceGateway, STATES, startFace } from './gateway.ts';

const HELP = `
Commands, one a line; an invoice is named by series and number, or its registry code:
  accounted|paid|rejected|annulled <invoice> [comment]
                       a public body does something with an invoice
  cancel accept|refuse <invoice>
                       it answers a request to cancel
  slow <milliseconds>  answer later
  drop before|after    close connections before, or after, an invoice is taken
  status <status>      answer everything with this status
  well                 behave well again
  show                 say what it has`;

/** Does what a line says. @returns a sentence about it */
function obey(face: FaceGateway, line: string): string {
  const [command = '', ...values] = line.trim().split(/\s+/);
  const [value = '', other = ''] = values;
  const { behaviour } = face;
  try {
    if (Object.hasOwn(STATES, command))
      face.move(value, command as keyof typeof STATES, values.slice(1).join(' ') || undefined);
    else if (command === 'cancel') face.answerCancellation(other, value === 'accept');
    else if (command === 'slow') behaviour.slowMs = Number(value) || 0;
    else if (command === 'drop') behaviour.drop = value === 'after' ? 'after' : 'before';
    else if (command === 'status') behaviour.status = Number(value) || 500;
    else if (command === 'well') Object.assign(behaviour, { slowMs: 0, drop: null, status: null });
    else if (command === 'show') return shown(face);
    else return HELP.trim();
    return 'ok';
  } catch (error) {
    return String(error);
  }
}

function shown({ invoices }: FaceGateway): string {
  const lines = invoices.map((one) => `  ${one.registryCode} ${one.number} ${one.code} ${one.comment ?? ''}`.trimEnd());
  return [`${invoices.length} invoices`, ...lines].join('\n');
}

async function main(): Promise<void> {
  const options = new Command()
    .name('npm run face --')
    .description('A stand-in for FACe on this machine; certificates are those of npm run aeat')
    .option('--port <port>', 'port of the service; 0: a free one', port, 8444)
    .option('--folder <folder>', 'folder of its certificates', FOLDER)
    .addHelpText('after', HELP)
    .parse()
    .opts<{ port: number; folder: string }>();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const face = await startFace(openAuthority(folder, new Date()), { port: options.port });
  process.stdout.write(
    `The stand-in for FACe listens. Start the service with\n` +
      `  FACE_TEST_URL=${face.url}\n  FACE_CA_FILE=${join(folder, 'authority.pem')}\n`,
  );
  createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`${obey(face, line)}\n`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void face.close().then(() => process.exit()));
}

await main();
