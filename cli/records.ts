/** `bms get`, `list`, `create`, `update`, `post` and `delete`: records by the paths of the interface, without /api. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from './exit.ts';
import { printJson, printTable } from './output.ts';
import { ask, current } from './session.ts';

type Row = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: Row[];
  readonly pagination: { readonly total: number; readonly next_cursor?: string | null };
}

interface Common {
  readonly profile?: string;
  readonly json?: boolean;
}
interface Listing extends Common {
  readonly filter: readonly string[];
  readonly sort?: string;
  readonly search?: string;
  readonly fields?: string;
  readonly limit: string;
  readonly all?: boolean;
}
interface Sending extends Common {
  readonly data?: string;
  readonly preview?: boolean;
}

/** The path of a record or an act: sales/invoices/{id}/post → /api/sales/invoices/{id}/post. */
export function apiPath(resource: string): string {
  const path = resource.replace(/^\/?(api\/)?/, '').replace(/\/+$/, '');
  if (!/^[\w./-]+$/.test(path) || path.split('/').includes('..')) {
    throw new UsageError(
      `${resource} must be a path of the interface without /api, such as partners or sales/invoices`,
    );
  }
  return `/api/${path}`;
}

/** Reads name=value; the name may have an operator: total[gte]=100. */
export function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${text} must be name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The body of a request: --data as JSON, @file or - for standard input; members given as name=value come over it. */
export function bodyFrom(data: string | undefined, members: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = data === undefined ? {} : parsed(textFrom(data));
  for (const member of members) {
    const [name, value] = pair(member);
    Object.defineProperty(body, name, {
      value: memberValue(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return body;
}

function textFrom(data: string): string {
  if (data === '-') return readFileSync(0, 'utf8');
  return data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below, with what was expected.
  }
  throw new UsageError('--data must be a JSON object, @file, or - for standard input');
}

/** JSON where it is JSON, else a text. Numbers with leading zeros, such as postal codes, are texts. */
function memberValue(text: string): unknown {
  if (/^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null|[[{].*)$/s.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

async function list(resource: string, options: Listing): Promise<void> {
  const { filter, sort, search: q, fields, limit, all = false, json = false, profile } = options;
  const transport = current(profile);
  const query = { ...Object.fromEntries(filter.map(pair)), sort, q };
  const rows: Row[] = [];
  for (let cursor: string | null | undefined = ''; cursor != null; ) {
    const paged = all ? { cursor, limit: 500 } : { limit };
    const page = (await ask(transport, 'GET', apiPath(resource), { query: { ...query, ...paged } })) as Page;
    rows.push(...page.data);
    cursor = all ? page.pagination.next_cursor : null;
    if (!all && page.pagination.total > rows.length)
      process.stderr.write(`${rows.length} of ${page.pagination.total}; --all shows all\n`);
  }
  if (json) printJson(rows);
  else printTable(rows, fields?.split(','));
}

async function send(method: string, resource: string, members: readonly string[], options: Sending): Promise<void> {
  const { data, preview = false, json = false, profile } = options;
  const body =
    method === 'DELETE' || (data === undefined && members.length === 0) ? undefined : bodyFrom(data, members);
  const query = preview ? { query: { preview: true } } : {};
  const answer = await ask(current(profile), method, apiPath(resource), {
    ...(body === undefined ? {} : { body }),
    ...query,
  });
  if (answer === null) process.stderr.write('Done\n');
  else if (json || preview) printJson(answer);
  else showRecord(answer);
}

function showRecord(answer: unknown): void {
  const { data } = answer as { data?: unknown };
  const record = (data ?? answer) as Row;
  const rows = Object.entries(record).filter(([, value]) => value !== null && typeof value !== 'object');
  printTable(
    rows.map(([member, value]) => ({ member, value })),
    ['member', 'value'],
  );
  for (const warning of (record.warnings ?? []) as { pointer: string; message: string }[])
    process.stderr.write(`Warning: ${warning.pointer} ${warning.message}\n`);
}

/** Adds the commands. */
export function addRecordCommands(program: Command): void {
  program
    .command('list <resource>')
    .description('lists records: bms list sales/invoices -f status=O -f "total[gte]=100" --sort -date')
    .option('-f, --filter <name=value>', 'keeps the records that fit; repeatable', collected, [])
    .option('-s, --sort <fields>', 'sorts by fields, comma-separated, - for descending')
    .option('-q, --search <text>', 'searches in texts')
    .option('--fields <names>', 'columns of the table, comma-separated')
    .option('-l, --limit <count>', 'at most so many', '20')
    .option('-a, --all', 'all of them, by cursor')
    .action((resource: string, options: Listing, { parent }: Command) =>
      list(resource, { ...parent?.opts(), ...options }),
    );
  program
    .command('get <path>')
    .description('shows a record: bms get partners/<id>')
    .action((path: string, options: Common, { parent }: Command) =>
      send('GET', path, [], { ...parent?.opts(), ...options }),
    );
  for (const [name, method, description] of [
    ['create', 'POST', 'creates a record: bms create partners name="Bar Centro" groupId=<id>'],
    ['post', 'POST', 'acts on a record: bms post sales/invoices/<id>/post'],
    ['update', 'PATCH', 'changes members of a record: bms update partners/<id> phone=600100200'],
    ['delete', 'DELETE', 'deletes a record: bms delete partners/<id>'],
  ] as const) {
    program
      .command(`${name} <path> [members...]`)
      .description(description)
      .option('-d, --data <json>', 'the body: JSON, @file, or - for standard input')
      .option('--preview', 'shows what would happen, and changes nothing')
      .action((path: string, members: string[], options: Sending, { parent }: Command) =>
        send(method, path, members, { ...parent?.opts(), ...options }),
      );
  }
}

function collected(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
