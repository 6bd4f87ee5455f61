/**
 * The stand-in for the tax agency as a program: `npm run aeat`. Tells where messages go, makes certificates for companies, and takes
 * commands from its standard input.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { type Agency, startAgency } from './agency.ts';
import { openAuthority } from './authority.ts';
import { FOLDER, port } from './options.ts';

const PASSWORD = 'prueba';
const HELP = `
Commands, one a line:
  wait <seconds>       state another waiting time
  slow <milliseconds>  answer later
  drop before|after    close connections before, or after, a message is stored
  refuse <code>        refuse whole messages, for example 4112
  fail <code>          refuse half of the records, for example 1256
  page <status>        answer with a page of HTML
  unknown <tax id>     do not know a customer
  well                 behave well again
  forget               lose everything that was stored
  show                 say what was stored`;

/** Does what a line says. @returns a sentence about it */
function obey(agency: Agency, line: string): string {
  const [command = '', value = ''] = line.trim().split(/\s+/);
  const { behaviour, book } = agency;
  if (command === 'wait') behaviour.waitSeconds = Number(value) || 0;
  else if (command === 'slow') behaviour.slowMs = Number(value) || 0;
  else if (command === 'drop') behaviour.drop = value === 'after' ? 'after' : 'before';
  else if (command === 'refuse') behaviour.refuse = value;
  else if (command === 'fail') behaviour.fail = value;
  else if (command === 'page') behaviour.page = Number(value) || 403;
  else if (command === 'unknown') behaviour.unknown.add(value);
  else if (command === 'well')
    Object.assign(behaviour, { slowMs: 0, drop: null, refuse: null, fail: null, page: null, unknown: new Set() });
  else if (command === 'forget') book.forget();
  else if (command === 'show') return shown(agency);
  else return HELP.trim();
  return 'ok';
}

function shown({ book }: Agency): string {
  const records = book.entries.flatMap(({ stored }) => stored);
  const lines = records.slice(-20).map(({ invoice, kind, state }) => `  ${invoice.number} ${kind} ${state}`);
  return [`${records.length} records in ${book.entries.length} messages`, ...lines].join('\n');
}

async function main(): Promise<void> {
  const options = new Command()
    .name('npm run aeat --')
    .description('A stand-in for the tax agency on this machine')
    .option('--port <port>', 'port of the service; 0: a free one', port, 8443)
    .option('--folder <folder>', 'folder of its certificates and of what it stores', FOLDER)
    .option('--wait <seconds>', 'waiting time that it states', port, 60)
    .option('--certificate <tax id>', 'makes a certificate for a company, and ends')
    .addHelpText('after', HELP)
    .parse()
    .opts<{ port: number; folder: string; wait: number; certificate?: string }>();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const authority = openAuthority(folder, new Date());
  if (options.certificate !== undefined) {
    const file = join(folder, `${options.certificate.replaceAll(/[^A-Z0-9]/gi, '')}.p12`);
    if (!existsSync(file))
      writeFileSync(
        file,
        authority.issue({ name: 'Empresa de prueba', taxId: options.certificate, password: PASSWORD }),
      );
    process.stdout.write(`${file}\nIts password is ${PASSWORD}\n`);
    return;
  }
  const agency = await startAgency(authority, { folder, port: options.port });
  agency.behaviour.waitSeconds = options.wait;
  process.stdout.write(
    `The stand-in for the tax agency listens. Start the service with\n` +
      `  VERIFACTU_TEST_URL=${agency.url}\n  VERIFACTU_CA_FILE=${join(folder, 'authority.pem')}\n` +
      `  VERIFACTU_MAKER_NAME='Example Software SL' VERIFACTU_MAKER_TAX_ID=B12345674\n`,
  );
  createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`${obey(agency, line)}\n`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void agency.close().then(() => process.exit()));
}

await main();
