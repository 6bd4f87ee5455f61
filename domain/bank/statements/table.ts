/** Reads statements in tables that banks offer for download, with a header in Spanish or English and a row per line. */
import { normalizeIban } from '../../identifiers.ts';
import { type Decimal, decimal } from '../../money.ts';
import {
  assertLineLimit,
  type BankStatement,
  badStatement,
  type ReadFile,
  type StatementLine,
  tidy,
  Warnings,
} from './statement.ts';
import { type ColumnMapping, findHeader, type Header, type TableRow } from './table-header.ts';
import { TableLines } from './table-lines.ts';
import { cellText, type TableHints } from './table-values.ts';

/** Rows processed without a pause. */
const CHUNK_SIZE = 500;

/**
 * Reads the rows of a file, yielding to the caller between chunks. Decimal separator and date order are those that suit
 * every row, trying the company's first. Unread columns are reported as warnings (decision 0159).
 * @param mapping columns mapped by the caller; the others are recognized by their titles
 * @returns one statement for each account named in the file; usually one, for an account that the file does not name
 * @throws BadStatement missing_header, missing_column, ambiguous_column, unclear_column, unclear_sign, invalid_date,
 * invalid_amount, invalid_sign, contradictory_amount, invalid_iban, unknown_currency, other_currency, balance_mismatch,
 * no_lines, too_many_lines
 */
export function* readTable(
  rows: readonly TableRow[],
  hints: TableHints,
  mapping: ColumnMapping = {},
): Generator<void, ReadFile> {
  const { header, at } = findHeader(rows, mapping);
  const body = rows.slice(at + 1);
  if (body.length === 0) throw badStatement('no_lines', 'has no line below its header', header.line);
  assertLineLimit(body.length, header.line);
  const lines = new TableLines(header, body, hints);
  const warnings = new Warnings();
  yield* warnOfUnread(header, body, warnings);
  const accounts = new Map<string, TableRow[]>();
  for (const row of body) {
    const account = lines.text(row, 'account');
    const known = accounts.get(account);
    if (known === undefined) accounts.set(account, [row]);
    else known.push(row);
  }
  yield;
  const statements: BankStatement[] = [];
  for (const [account, of] of accounts) statements.push(yield* buildStatement(account, of, lines));
  return { statements, warnings: warnings.list };
}

/** Warns of titled columns without a known meaning, and of columns with contents but no title. */
function* warnOfUnread(
  { line, titles, unread }: Header,
  body: readonly TableRow[],
  warnings: Warnings,
): Generator<void> {
  for (const { title, meaning } of unread) {
    const why = meaning === undefined ? 'is not understood' : `means ${meaning}, as another column does`;
    const words = `${why}, so it was left out; send its meaning in columns, or name it in ignore`;
    warnings.add(meaning === undefined ? 'unknown_column' : 'unused_column', words, line, title);
  }
  const untitled = new Set<number>();
  for (const [index, { cells }] of body.entries()) {
    for (let at = 0; at < cells.length; at++) {
      if ((titles[at] ?? '') === '' && !untitled.has(at) && cellText(cells[at]) !== '') untitled.add(at);
    }
    if (index % CHUNK_SIZE === 0) yield;
  }
  for (const at of [...untitled].sort((one, other) => one - other)) {
    warnings.add('untitled_column', 'has no title, so it was left out', line, `column ${at + 1}`);
  }
}

function* buildStatement(
  account: string,
  rows: readonly TableRow[],
  lines: TableLines,
): Generator<void, BankStatement> {
  const [first] = rows as [TableRow];
  const iban = normalizeIban(account.slice(0, 50));
  if (/^[A-Za-z]{2}\d{2}/.test(account) && iban === null) {
    throw badStatement('invalid_iban', `${account.slice(0, 40)} is not a valid IBAN`, first.line, 'account');
  }
  const currency = findCurrency(rows, lines);
  const read: { line: StatementLine; balance: Decimal | undefined }[] = [];
  for (const row of rows) {
    read.push({ line: lines.line(row), balance: lines.balance(row) });
    if (read.length % CHUNK_SIZE === 0) yield;
  }
  const { oldest, ...ends } = findBalances(read);
  assertClear(rows, lines, oldest);
  const days = read.map(({ line }) => line.date).sort();
  return {
    account: { iban, number: iban === null ? tidy(account) : null },
    currency,
    reference: null,
    from: days[0] as string,
    to: days.at(-1) as string,
    ...ends,
    lines: read.map(({ line }) => line),
  };
}

/**
 * Checks that signs are clear.
 * @param oldest row, which no balance confirms; null if there are no balances
 * @throws BadStatement unclear_sign
 */
function assertClear(rows: readonly TableRow[], lines: TableLines, oldest: StatementLine | null): void {
  const unclear = rows.find((row) => (oldest === null || oldest.line === row.line) && lines.isUnclear(row));
  if (unclear === undefined) return;
  const words =
    'is below zero, others are not, and no balance confirms what that means; give a balance or signed amounts';
  throw badStatement('unclear_sign', words, unclear.line, 'debit');
}

/** Finds the single currency of the rows; null if they name none. */
function findCurrency(rows: readonly TableRow[], lines: TableLines): string | null {
  let currency: string | null = null;
  for (const row of rows) {
    const given = lines.text(row, 'currency').toUpperCase();
    const code = given === '€' ? 'EUR' : given;
    if (code === '') continue;
    if (!/^[A-Z]{3}$/.test(code)) {
      throw badStatement('unknown_currency', `${given.slice(0, 20)} is not a currency code`, row.line, 'currency');
    }
    currency ??= code;
    if (code !== currency) {
      throw badStatement(
        'other_currency',
        `is in ${code}, but the lines before are in ${currency}`,
        row.line,
        'currency',
      );
    }
  }
  return currency;
}

/**
 * Finds the balances before and after all rows, if each row has one; the newest row may be first or last.
 * @throws BadStatement balance_mismatch where a row does not follow from its neighbour: one is missing or wrong
 */
function findBalances(
  rows: readonly { readonly line: StatementLine; readonly balance: Decimal | undefined }[],
): Pick<BankStatement, 'opening' | 'closing'> & { readonly oldest: StatementLine | null } {
  if (rows.some(({ balance }) => balance === undefined)) return { opening: null, closing: null, oldest: null };
  const oldestFirst = rows as readonly { readonly line: StatementLine; readonly balance: Decimal }[];
  const newestFirst = oldestFirst.toReversed();
  const down = breakIn(oldestFirst);
  const ordered = down === undefined ? oldestFirst : breakIn(newestFirst) === undefined ? newestFirst : undefined;
  if (ordered === undefined) {
    const dates = [rows[0]?.line.date ?? '', rows.at(-1)?.line.date ?? ''] as const;
    const line = (dates[0] > dates[1] ? breakIn(newestFirst) : down)?.line ?? 1;
    const words = 'the balance does not follow from that of the neighbouring line: a line is missing, changed or moved';
    throw badStatement('balance_mismatch', words, line, 'balance');
  }
  const { line: oldest, balance } = ordered[0] as { line: StatementLine; balance: Decimal };
  return { opening: decimal(balance).minus(oldest.amount).toFixed(), closing: ordered.at(-1)?.balance ?? null, oldest };
}

function breakIn(
  rows: readonly { readonly line: StatementLine; readonly balance: Decimal }[],
): StatementLine | undefined {
  for (let at = 1; at < rows.length; at++) {
    const [before, row] = [rows[at - 1], rows[at]];
    if (before && row && !decimal(before.balance).plus(row.line.amount).eq(row.balance)) return row.line;
  }
  return undefined;
}
