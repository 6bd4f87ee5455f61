/** Answers for people and programs: tables, JSON, and a line of progress. */

type Row = Readonly<Record<string, unknown>>;

/** Columns of a table unless chosen: as many as fit. */
const MOST_COLUMNS = 8;
const MOST_WIDTH = 40;
/** Members that tell most, in order. */
const TELLING = [
  'code',
  'name',
  'date',
  'status',
  'type',
  'total',
  'outstanding',
  'amount',
  'email',
  'partner',
  'message',
  'id',
];

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows as a table. @param chosen names of columns; undefined for those that tell most */
export function printTable(rows: readonly Row[], chosen?: readonly string[]): void {
  if (rows.length === 0) return void process.stderr.write('Nothing found\n');
  const columns = chosen ?? tellingColumns(rows);
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(member(row, name)))),
  ];
  const widths = columns.map((_, at) =>
    Math.min(MOST_WIDTH, Math.max(...lines.map((line) => (line[at] ?? '').length))),
  );
  for (const line of lines) {
    const cells = line.map((text, at) => shortened(text, widths[at] ?? 0).padEnd(widths[at] ?? 0));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

function tellingColumns(rows: readonly Row[]): string[] {
  const all = Object.keys(rows[0] ?? {});
  const telling = TELLING.filter((name) => all.includes(name) && rows.some((row) => cell(row[name]) !== ''));
  const simple = all.filter(
    (name) => !telling.includes(name) && typeof rows[0]?.[name] !== 'object' && !/Id$|_id$|At$|_at$/.test(name),
  );
  return (telling.length > 2 ? telling : [...telling, ...simple]).slice(0, MOST_COLUMNS);
}

/** A member, also within others: partner.name. */
function member(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value).replaceAll(/\s+/g, ' ');
  const { code, name } = value as { code?: unknown; name?: unknown };
  return Array.isArray(value) ? `${value.length} …` : String(name ?? code ?? '…');
}

function shortened(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
}

const BAR = 24;

/** Shows progress on one line of a terminal; elsewhere, each change on its own. */
export function showProgress(percent: number, message: string): void {
  const done = Math.round((Math.min(100, Math.max(0, percent)) / 100) * BAR);
  const line = `${'█'.repeat(done)}${'░'.repeat(BAR - done)} ${String(Math.round(percent)).padStart(3)} % ${message}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}${percent >= 100 ? '\n' : ''}`);
  else process.stderr.write(`${Math.round(percent)} % ${message}\n`);
}
