/** Converts the rows of a bank's table to statement lines with signed amounts. */
import { normalizeIban } from '../../identifiers.ts';
import { type Decimal, decimal } from '../../money.ts';
import type { TableCell } from '../../records/tables/cells.ts';
import { type BadStatement, badStatement, type StatementLine, tidy } from './statement.ts';
import type { ColumnName } from './table-columns.ts';
import type { Header, TableRow } from './table-header.ts';
import { mayBeSides, type Side, sideReader } from './table-signs.ts';
import { type CellReader, cellText, dayReader, numberReader, type TableHints } from './table-values.ts';

type NumberColumn = 'amount' | 'debit' | 'credit' | 'balance';

export class TableLines {
  readonly #header: Header;
  readonly #day: CellReader;
  readonly #number: CellReader;
  /** Whether all amounts are unsigned. */
  readonly #unsigned: boolean;
  /** Whether some debits are signed and others are not. */
  readonly #mixedDebits: boolean;
  readonly #side: ((text: string) => Side | undefined) | undefined;

  /** @throws BadStatement unclear_sign, unclear_column */
  constructor(header: Header, body: readonly TableRow[], hints: TableHints) {
    this.#header = header;
    const all = (...names: readonly ColumnName[]) =>
      body.flatMap((row) => names.filter((name) => header.columns.has(name)).map((name) => this.#cell(row, name)));
    this.#day = dayReader(all('date', 'value_date'), hints);
    this.#number = numberReader(all('amount', 'debit', 'credit', 'balance'), hints);
    this.#unsigned = !body.some((row) => this.#number(this.#cell(row, 'amount'))?.startsWith('-'));
    const debits = all('debit').map((cell) => this.#number(cell) ?? '');
    this.#mixedDebits =
      new Set(debits.filter((debit) => /[1-9]/.test(debit)).map((debit) => debit.startsWith('-'))).size > 1;
    const [sign] = header.columns.get('sign') ?? [];
    if (sign !== undefined) {
      const words = body.map((row) => this.text(row, 'sign'));
      const told = !this.#unsigned || header.columns.has('debit') || header.columns.has('credit');
      // An empty column is ignored if signed amounts or separate columns show the sides.
      if (!told || words.some((word) => word !== ''))
        this.#side = sideReader(words, header.titles[sign] ?? '', header.line);
    } else if (this.#unsigned && header.columns.has('amount')) assertNoSides(header, body);
  }

  text(row: TableRow, column: ColumnName): string {
    const positions = this.#header.columns.get(column) ?? [];
    if (positions.length === 1) return cellText(row.cells[positions[0] as number]);
    return positions
      .map((at) => cellText(row.cells[at]))
      .join(' ')
      .trim();
  }

  /** Converts a row. @throws BadStatement invalid_date, invalid_amount, invalid_sign, contradictory_amount */
  line(row: TableRow): StatementLine {
    return {
      line: row.line,
      date: this.#dayAt(row, 'date') as string,
      valueDate: this.#dayAt(row, 'value_date'),
      amount: this.#amount(row),
      reference: tidy(this.text(row, 'reference')),
      bankReference: tidy(this.text(row, 'bank_reference')),
      counterpartyName: tidy(this.text(row, 'counterparty_name')),
      counterpartyIban: normalizeIban(this.text(row, 'counterparty_iban').slice(0, 50)),
      text: tidy(this.text(row, 'text'), 'text'),
      endToEndId: tidy(this.text(row, 'end_to_end_id')),
      reversal: false,
    };
  }

  /** The balance after the row, if it has one. @throws BadStatement invalid_amount */
  balance(row: TableRow): Decimal | undefined {
    return this.#numberAt(row, 'balance');
  }

  #cell(row: TableRow, column: ColumnName): TableCell {
    return row.cells[this.#header.columns.get(column)?.[0] ?? -1] ?? null;
  }

  #dayAt(row: TableRow, column: 'date' | 'value_date'): string | null {
    const given = this.text(row, column);
    const found = given === '' ? undefined : this.#day(this.#cell(row, column));
    if (found !== undefined || (column === 'value_date' && given === '')) return found ?? null;
    throw badStatement('invalid_date', `${given.slice(0, 30) || 'nothing'} is not a date`, row.line, column);
  }

  #numberAt(row: TableRow, column: NumberColumn): Decimal | undefined {
    const given = this.text(row, column);
    if (given === '') return undefined;
    const value = this.#number(this.#cell(row, column));
    if (value !== undefined && /^-?\d{1,13}(\.\d{1,2})?$/.test(value)) return value as Decimal;
    const message = `${given.slice(0, 30)} is not an amount with up to two decimals`;
    throw badStatement('invalid_amount', message, row.line, column);
  }

  #amount(row: TableRow): Decimal {
    const amount = this.#numberAt(row, 'amount');
    const apart = this.#apart(row);
    const value = apart ?? amount;
    if (value === undefined) throw badStatement('invalid_amount', 'has no amount', row.line, 'amount');
    if (amount !== undefined && apart !== undefined) {
      const same = this.#unsigned ? decimal(apart).abs().eq(amount) : decimal(apart).eq(amount);
      if (!same) throw contradiction(row, `is ${amount}, but debit and credit make ${apart}`);
    }
    if (this.#side === undefined || decimal(value).eq(0)) return value;
    const said = this.text(row, 'sign');
    const side = this.#side(said);
    if (side === undefined) {
      const words =
        said === ''
          ? 'nothing says whether it is a debit or a credit'
          : `${said.slice(0, 30)} is neither debit nor credit`;
      throw badStatement('invalid_sign', words, row.line, 'sign');
    }
    if (apart === undefined && this.#unsigned) return decimal(value).times(side).toFixed();
    if (decimal(value).gt(0) === (side === 1)) return value;
    throw contradiction(row, `is ${value}, but ${said.slice(0, 30)} says the opposite`);
  }

  /**
   * Whether a debit is signed although others are not, so that only the balance can show what that means: most likely a
   * returned charge.
   * @throws BadStatement invalid_amount
   */
  isUnclear(row: TableRow): boolean {
    if (!this.#mixedDebits || this.#side !== undefined) return false;
    const signed = !this.#unsigned && this.#numberAt(row, 'amount') !== undefined;
    return !signed && decimal(this.#numberAt(row, 'debit') ?? 0).lt(0);
  }

  /**
   * Reads separate columns of debits and credits. Some banks write debits with a sign, others without; where both
   * occur, signed ones are returns.
   */
  #apart(row: TableRow): Decimal | undefined {
    const [debit, credit] = [this.#numberAt(row, 'debit'), this.#numberAt(row, 'credit')];
    if (debit === undefined && credit === undefined) return undefined;
    const out = decimal(debit ?? 0);
    return decimal(credit ?? 0)
      .minus(this.#mixedDebits ? out : out.abs())
      .toFixed();
  }
}

function contradiction({ line }: TableRow, message: string): BadStatement {
  return badStatement('contradictory_amount', message, line, 'amount');
}

/** Columns that may contain words for the sides, whatever their titles. */
const WORDS: readonly (ColumnName | undefined)[] = [undefined, 'text', 'reference', 'bank_reference'];

/**
 * Checks for a column of sides.
 * @throws BadStatement unclear_column when amounts have no sign and a column with an unknown title shows the sides
 */
function assertNoSides({ columns, chosen, titles, line }: Header, body: readonly TableRow[]): void {
  const names = new Map([...columns].flatMap(([name, positions]) => positions.map((at) => [at, name] as const)));
  for (const [at, title] of titles.entries()) {
    if (chosen.has(at) || !WORDS.includes(names.get(at)) || !mayBeSides(columnTexts(body, at))) continue;
    const words = 'seems to say which amounts are debits; name it in columns: as sign, or in ignore';
    throw badStatement('unclear_column', words, line, title.slice(0, 60) || `column ${at + 1}`);
  }
}

function* columnTexts(body: readonly TableRow[], at: number): Generator<string> {
  for (const { cells } of body) yield cellText(cells[at]);
}
