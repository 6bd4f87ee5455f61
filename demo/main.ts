/** `npm run demo`: tries the running service as a REST client, and suggests what to look at. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { argv, env, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiProblem, Unreachable } from './api-client.ts';
import { type Output, table } from './report.ts';
import { type RetailDay, readRetailDay } from './retail-file.ts';
import { printRetail } from './retail-report.ts';
import { runMonth } from './run-month.ts';
import { type RetailReport, runRetailDay } from './run-retail.ts';
import { DemoError, openSession, type Session } from './session.ts';
import { runYear } from './year/run-year.ts';

export interface DemoOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly temporalUi: string;
  readonly namespace: string;
  readonly email?: string;
  readonly password?: string;
  /** Port of the receiver of webhooks; none without it. */
  readonly receiverPort?: number;
  /** false = no webhook is tried. */
  readonly webhook?: boolean;
  /** Number of days to sell on, without data; defaults to 30. */
  readonly length?: number;
  /** Trade for the last twelve months. */
  readonly year?: boolean;
  readonly data?: string;
  readonly days?: readonly string[];
}

/**
 * Runs the demo.
 * @returns the exit code: 0 if everything added up
 * @throws DemoError, Unreachable, ApiProblem
 */
export async function runDemo(options: DemoOptions, output: Output): Promise<number> {
  const days = options.data === undefined ? undefined : await readDays(options.data, options.days);
  const session = await openSession({
    url: options.url,
    dataDir: options.dataDir,
    email: options.email,
    password: options.password,
  });
  output.write(`${session.company} at ${options.url}: ${session.how}\n`);
  const problems =
    options.year === true
      ? await tradeYear(session, options, output)
      : days
        ? await sellDays(session, days, output)
        : await sellMonth(session, options, output);
  for (const problem of problems) output.write(`\nNOT RIGHT: ${problem}`);
  output.write(problems.length > 0 ? '\n' : '\nEverything adds up.\n');
  return problems.length > 0 ? 1 : 0;
}

async function tradeYear(session: Session, options: DemoOptions, output: Output): Promise<readonly string[]> {
  const { months, rows, problems } = await runYear(session, {
    now: new Date(),
    output,
    receiverPort: receiverPort(options),
  });
  const [from, to] = [months[0]?.from, months.at(-1)?.to];
  const reports = ['executive', 'profit-customer', 'pl', 'aging', 'labor-cost'];
  const links = reports.map((name) => [name, `${options.url}/api/reports/${name}?from=${from}&to=${to}&format=pdf`]);
  output.write(`\n${from} to ${to}\n${table(rows)}\n\nTo look at:\n${table(links)}\n`);
  return problems;
}

async function sellMonth(session: Session, options: DemoOptions, output: Output): Promise<readonly string[]> {
  const now = new Date();
  const report = await runMonth(session, {
    dataDir: options.dataDir,
    now,
    length: options.length ?? 30,
    run: `DEMO-${now.toISOString().slice(0, 19).replace(/\D/g, '')}`,
    receiverPort: receiverPort(options),
    output,
  });
  const { lastInvoice, pdfs, days, webhookId } = report;
  const search = encodeURIComponent(`EntityId = "${lastInvoice.id}"`);
  output.write(`\n${days[0]} to ${days.at(-1)}\n${table(report.rows)}\n\nTo look at:\n`);
  const links = [
    ['API docs', `${options.url}/docs`],
    [`invoice ${lastInvoice.code}`, `${options.url}/api/sales/invoices/${lastInvoice.id}`],
    ...pdfs.map((file) => ['its PDF', file]),
    ['its workflows', `${options.temporalUi}/namespaces/${options.namespace}/workflows?query=${search}`],
    ...(webhookId === undefined ? [] : [['webhook log', `${options.url}/api/webhooks/${webhookId}/logs`]]),
  ];
  output.write(`${table(links)}\n`);
  return report.problems;
}

async function sellDays(session: Session, days: readonly RetailDay[], output: Output): Promise<readonly string[]> {
  const reports: RetailReport[] = [];
  for (const day of days) reports.push(await runRetailDay(session.client, day, output));
  printRetail(reports, output);
  return reports.flatMap((report) => report.problems);
}

/** Reads the files of the requested days, oldest first. */
async function readDays(data: string, wanted: readonly string[] | undefined): Promise<RetailDay[]> {
  const files = await dayFiles(data, wanted);
  return Promise.all(
    files.map(async (file) => {
      try {
        return readRetailDay(await readFile(file, 'utf8'));
      } catch (error) {
        throw new DemoError(`${file}: ${(error as Error).message}`);
      }
    }),
  );
}

async function dayFiles(data: string, wanted: readonly string[] | undefined): Promise<string[]> {
  try {
    if ((await stat(data)).isFile()) return [data];
    const there = (await readdir(data)).filter((name) => name.endsWith('.csv')).sort();
    const names = wanted?.map((day) => `${day}.csv`) ?? there;
    const missing = names.filter((name) => !there.includes(name));
    if (missing.length > 0) throw new DemoError(`${data} has no ${missing.join(', ')}; there are ${there.join(', ')}`);
    if (names.length === 0) throw new DemoError(`${data} has no .csv files`);
    return names.map((name) => path.join(data, name));
  } catch (error) {
    if (error instanceof DemoError) throw error;
    throw new DemoError(`${data} cannot be read: ${(error as Error).message}`);
  }
}

/** The port of the receiver of webhooks; undefined if none is tried, or the service is elsewhere. */
function receiverPort({ webhook, url, receiverPort: port }: DemoOptions): number | undefined {
  return webhook !== false && isLocal(url) ? port : undefined;
}

function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

function dayCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 30) throw new InvalidArgumentError('Give 1 to 30.');
  return count;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new InvalidArgumentError('Give 1 to 65535.');
  return port;
}

async function main(): Promise<void> {
  const command = new Command('demo')
    .description('Tries the running service as a REST client: sets up a company, sells for a month, checks webhooks.')
    .addOption(new Option('--url <address>', 'the service').default(`http://127.0.0.1:${env.PORT ?? 3000}`))
    .addOption(new Option('--data-dir <folder>', 'for demo.json and PDFs').env('DATA_DIR').default('.data'))
    .addOption(new Option('--temporal-ui <address>').default(`http://127.0.0.1:${env.TEMPORAL_UI_PORT ?? 8233}`))
    .addOption(new Option('--namespace <name>').env('TEMPORAL_NAMESPACE').default('default'))
    .option('--email <email>', 'a user of the existing company')
    .option('--password <password>')
    .option('--length <days>', 'number of days to sell on, 1 to 30', dayCount, 30)
    .addOption(
      new Option(
        '--receiver-port <port>',
        'port on which the demo receives webhooks; the service must be started with OUTBOUND_ALLOWED_TARGETS=127.0.0.1:<port>',
      )
        .env('DEMO_RECEIVER_PORT')
        .argParser(portNumber)
        .default(9000),
    )
    .option('--no-webhook', 'try no webhook')
    .option('--year', 'trade for the last twelve months instead, with purchases, wages, a bank account and tax returns')
    .option('--data <folder or file>', "sell a wholesaler's real days (CSV) instead")
    .option('--days <dates>', 'days of the folder, separated by commas', (text) => text.split(','));
  const options = command.parse().opts<DemoOptions>();
  try {
    const output = { write: (text: string) => void stdout.write(text), terminal: stdout.isTTY === true };
    process.exitCode = await runDemo(options, output);
  } catch (error) {
    if (error instanceof Unreachable) console.error(`${error.message}\nStart the service first: npm start`);
    else if (error instanceof DemoError || error instanceof ApiProblem) console.error(error.message);
    else throw error;
    process.exitCode = 1;
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await main();
