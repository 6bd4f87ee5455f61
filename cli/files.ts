/** `bms export` and `import`: lists as CSV or Excel. */
import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { waitForTask } from '../clients/typescript/src/tasks.ts';
import { UsageError } from './exit.ts';
import { printJson, showProgress } from './output.ts';
import { apiPath, pair } from './records.ts';
import { ask, current } from './session.ts';

interface Exporting {
  readonly profile?: string;
  readonly format: string;
  readonly output?: string;
  readonly filter: readonly string[];
}
interface Importing {
  readonly profile?: string;
  readonly json?: boolean;
  readonly mode: string;
  readonly partial?: boolean;
  readonly dryRun?: boolean;
}

async function exported(resource: string, { profile, format, output, filter }: Exporting): Promise<void> {
  const query = { ...Object.fromEntries(filter.map(pair)), format };
  const { body } = await current(profile).send('GET', apiPath(resource), { query });
  if (body === null) throw new Error('The answer has no file');
  const target = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.fromWeb(body as never), target, { end: output !== undefined });
  if (output !== undefined) process.stderr.write(`${output}\n`);
}

async function imported(resource: string, file: string, options: Importing): Promise<void> {
  const { profile, mode, partial = false, dryRun = false, json = false } = options;
  const transport = current(profile);
  const type = /\.xlsx$/i.test(file) ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' : 'text/csv';
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const answer = (await ask(transport, 'POST', apiPath(`import/${resource}`), {
    query: { mode, partial, dry_run: dryRun },
    headers: { 'Content-Type': type },
    body: new Blob([new Uint8Array(content)], { type }),
  })) as { readonly data?: object; readonly task_id?: string };
  if (answer.data !== undefined) return report(answer.data, json);
  const task = await waitForTask(transport, answer, {
    onProgress: ({ progress, message }) => showProgress(progress, message ?? ''),
  });
  report(task, json);
}

function report(data: object, json: boolean): void {
  if (json) {
    printJson(data);
    return;
  }
  const counts = Object.entries(data).filter(([, value]) => typeof value === 'number');
  process.stdout.write(`${counts.map(([name, value]) => `${name} ${value}`).join(', ')}\n`);
}

/** Adds the commands. */
export function addFileCommands(program: Command): void {
  program
    .command('export <resource>')
    .description('writes all records of a list to a file: bms export partners -o partners.csv')
    .option('--format <format>', 'csv or excel', 'csv')
    .option('-o, --output <file>', 'the file; without it, standard output')
    .option(
      '-f, --filter <name=value>',
      'keeps the records that fit; repeatable',
      (one: string, all: string[]) => [...all, one],
      [],
    )
    .action((resource: string, options: Exporting, { parent }: Command) =>
      exported(resource, { ...parent?.opts(), ...options }),
    );
  program
    .command('import <resource> <file>')
    .description('reads records from a CSV or Excel file: bms import items items.csv --mode upsert')
    .option('--mode <mode>', 'create, update or upsert', 'create')
    .option('--partial', 'keeps what is right, and tells what is wrong')
    .option('--dry-run', 'tells what would be written')
    .action((resource: string, file: string, options: Importing, { parent }: Command) =>
      imported(resource, file, { ...parent?.opts(), ...options }),
    );
}
