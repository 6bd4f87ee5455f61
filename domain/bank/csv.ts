/** Reads statements as tables that banks offer for download: a header in Spanish or English, and a row for each line. */
import { ibanOf } from '../identifiers.ts';
import { type Decimal, decimal } from '../money.ts';
import { type ColumnName, columnsOf } from './csv-columns.ts';
import { dayReader, numberReader, type TableHints } from './csv-values.ts';
import { assertLineLimit, type BankStatement, badStatement, type StatementLine, tidy } from './statement.ts';

export interface CsvRow {
  /** The first line of the row in the file. */
  readonly line: number;
  readonly cells: readonly unknown[];
}

/** Banks put a few lines about the account above the header. */
const HEADER_WITHIN = 30;
/** How many rows are processed without a pause. */
const PIECE = 500;

/** A row's cell in a column; empty when there is none. */
type Cell = (row: CsvRow, column: ColumnName) => string;

/**
 * Reads the rows of a file, yielding to the caller between chunks. Decimal separator and date order are those in which every row makes
 * sense, the company's tried first.
 * @returns one statement for each account named in the file; usually one, for an account that the file does not name
 * @throws BadStatement missing_header, ambiguous_column, missing_column, invalid_date, invalid_amount, invalid_iban,
 * other_currency, balance_mismatch, no_lines, too_many_lines
 */
export function* readCsvStatements(rows: readonly CsvRow[], hints: TableHints): Generator<void, BankStatement[]> {
  const header = rows.slice(0, HEADER_WITHIN).findIndex(({ cells }) => {
    const { columns } = columnsOf(cells);
    return columns.has('date') && (columns.has('amount') || columns.has('credit') || columns.has('debit'));
  });
  const first = rows[header];
  if (first === undefined) {
    const words = 'no line names the columns: one for the date (Fecha, Date) and one for the amount (Importe, Amount)';
    throw badStatement('missing_header', words, rows[0]?.line ?? 1);
  }
  const { columns, repeated } = columnsOf(first.cells);
  if (repeated !== undefined) {
    throw badStatement(
      'ambiguous_column',
      'means the same as another column; remove one of them',
      first.line,
      repeated,
    );
  }
  const body = rows.slice(header + 1);
  if (body.length === 0) throw badStatement('no_lines', 'has no line below its header', first.line);
  assertLineLimit(body.length, first.line);
  const cell: Cell = (row, column) => {
    const at = columns.get(column);
    const value = at === undefined ? undefined : row.cells[at];
    return typeof value === 'string' ? value.trim() : '';
  };
  const accounts = new Map<string, CsvRow[]>();
  for (const row of body) {
    const account = cell(row, 'account');
    const known = accounts.get(account);
    if (known === undefined) accounts.set(account, [row]);
    else known.push(row);
  }
  const readers = {
    day: dayReader(
      body.flatMap((row) => [cell(row, 'date'), cell(row, 'valueDate')]),
      hints,
    ),
    number: numberReader(
      body.flatMap((row) => (['amount', 'debit', 'credit', 'balance'] as const).map((name) => cell(row, name))),
      hints,
    ),
  };
  yield;
  const statements: BankStatement[] = [];
  for (const [account, of] of accounts) statements.push(yield* statementOf(account, of, cell, readers));
  return statements;
}

interface Readers {
  readonly day: (text: string) => string | undefined;
  readonly number: (text: string) => string | undefined;
}

function* statementOf(
  account: string,
  rows: readonly CsvRow[],
  cell: Cell,
  readers: Readers,
): Generator<void, BankStatement> {
  const [first] = rows as [CsvRow];
  const iban = ibanOf(account.slice(0, 50));
  if (/^[A-Za-z]{2}\d{2}/.test(account) && iban === null) {
    throw badStatement('invalid_iban', `${account.slice(0, 40)} is not a valid IBAN`, first.line, 'account');
  }
  const currency = currencyOf(rows, cell);
  const read: { line: StatementLine; balance: string | undefined }[] = [];
  for (const row of rows) {
    read.push({ line: lineOf(row, cell, readers), balance: balanceOf(row, cell, readers) });
    if (read.length % PIECE === 0) yield;
  }
  const days = read.map(({ line }) => line.date).sort();
  const balances = endsOf(read);
  return {
    account: { iban, number: iban === null ? tidy(account) : null },
    currency,
    reference: null,
    from: days[0] as string,
    to: days.at(-1) as string,
    ...balances,
    lines: read.map(({ line }) => line),
  };
}

function lineOf(row: CsvRow, cell: Cell, { day, number }: Readers): StatementLine {
  const dayAt = (column: 'date' | 'valueDate') => {
    const text = cell(row, column);
    const found = text === '' ? undefined : day(text);
    if (found !== undefined || (column === 'valueDate' && text === '')) return found ?? null;
    throw badStatement('invalid_date', `${text.slice(0, 30) || 'nothing'} is not a date`, row.line, column);
  };
  const numberAt = (column: 'amount' | 'debit' | 'credit') => {
    const text = cell(row, column);
    return text === '' ? undefined : amountIn(row, column, text, number);
  };
  const [amount, debit, credit] = [numberAt('amount'), numberAt('debit'), numberAt('credit')];
  if (amount === undefined && debit === undefined && credit === undefined) {
    throw badStatement('invalid_amount', 'has no amount', row.line, 'amount');
  }
  // Some banks write debits with a sign, others without.
  const value =
    amount ??
    decimal(credit ?? 0)
      .minus(decimal(debit ?? 0).abs())
      .toFixed();
  const counterparty = cell(row, 'counterpartyIban');
  return {
    line: row.line,
    date: dayAt('date') as string,
    valueDate: dayAt('valueDate'),
    amount: value,
    reference: tidy(cell(row, 'reference')),
    bankReference: tidy(cell(row, 'bankReference')),
    counterpartyName: tidy(cell(row, 'counterparty')),
    counterpartyIban: ibanOf(counterparty.slice(0, 50)),
    text: tidy(cell(row, 'text'), 'text'),
    endToEndId: tidy(cell(row, 'endToEndId')),
    reversal: false,
  };
}

function balanceOf(row: CsvRow, cell: Cell, { number }: Readers): string | undefined {
  const text = cell(row, 'balance');
  return text === '' ? undefined : amountIn(row, 'balance', text, number);
}

function amountIn(row: CsvRow, column: string, text: string, number: Readers['number']): Decimal {
  const value = number(text);
  if (value !== undefined && /^-?\d{1,13}(\.\d{1,2})?$/.test(value)) return value as Decimal;
  throw badStatement(
    'invalid_amount',
    `${text.slice(0, 30)} is not an amount with up to two decimals`,
    row.line,
    column,
  );
}

/** The single currency of the rows; null when they name none. */
function currencyOf(rows: readonly CsvRow[], cell: Cell): string | null {
  let currency: string | null = null;
  for (const row of rows) {
    const given = cell(row, 'currency').toUpperCase();
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
 * The balances before and after all rows, if each row has its balance; the newest row may be first or last.
 * @throws BadStatement balance_mismatch where a row does not follow from its neighbour: one is missing or wrong
 */
function endsOf(
  rows: readonly { readonly line: StatementLine; readonly balance: string | undefined }[],
): Pick<BankStatement, 'opening' | 'closing'> {
  if (rows.some(({ balance }) => balance === undefined)) return { opening: null, closing: null };
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
  const { line, balance } = ordered[0] as { line: StatementLine; balance: Decimal };
  return { opening: decimal(balance).minus(line.amount).toFixed(), closing: ordered.at(-1)?.balance ?? null };
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
