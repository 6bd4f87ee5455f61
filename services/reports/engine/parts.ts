/** Parts of a report that has more rows than a PDF can hold, for books that must be whole (decision 0372). */
import { type Exact, sum, toNumber } from '../../../domain/money.ts';
import { type Column, valueIn } from '../../records/exports/columns.ts';
import type { ContentTable, ReportContent } from './content.ts';
import type { Values } from './declaration.ts';

/** A table, or a stretch of its rows, as it is printed. */
export interface PaperTable extends ContentTable {
  /** Sums of the rows in earlier parts. */
  readonly brought?: Values;
  /** The same with the rows of this part; the last one has the table's totals instead. */
  readonly carried?: Values;
}

export interface PaperPart {
  readonly tables: readonly PaperTable[];
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
}

/** Lists the tables that are printed: forms are printed as such, not as tables of their boxes. */
export function paperTables({ file: { forms = [], formsOnPaper }, tables }: ReportContent): readonly ContentTable[] {
  return formsOnPaper === true ? [] : tables.slice(0, tables.length - forms.length);
}

/**
 * Yields the tables in parts, reading rows as they are needed. A table that goes on in the next part carries its sums forward.
 * @param most rows of a part
 */
export async function* paperParts(content: ReportContent, most: number): AsyncGenerator<PaperPart> {
  let tables: PaperTable[] = [];
  let number = 1;
  let room = most;
  for (const table of paperTables(content)) {
    const stretch = new Stretch(table);
    for await (const batch of table.rows) {
      for (let from = 0; from < batch.length; ) {
        if (room === 0) {
          yield { tables: stretch.isEmpty ? tables : [...tables, stretch.cut()], number, isLast: false };
          tables = [];
          number += 1;
          room = most;
        }
        const rows = batch.slice(from, from + room);
        stretch.add(rows);
        from += rows.length;
        room -= rows.length;
      }
    }
    tables.push(stretch.end());
  }
  yield { tables, number, isLast: true };
}

/** The rows of a table since the last cut. */
class Stretch {
  readonly #table: ContentTable;
  readonly #summed: readonly Column[];
  #rows: object[] = [];
  #brought: readonly Exact[] | null = null;

  constructor(table: ContentTable) {
    this.#table = table;
    this.#summed = summedColumns(table);
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(rows: readonly object[]): void {
    this.#rows.push(...rows);
  }

  /** Ends a part within the table. */
  cut(): PaperTable {
    const part = this.end();
    const sums = this.#summed.map((column, index) =>
      sum([this.#brought?.[index] ?? 0, ...this.#rows.map((row) => valueIn(row, column) as number)]),
    );
    this.#brought = sums;
    this.#rows = [];
    return { ...part, carried: this.#named(sums) };
  }

  /** Ends the table. */
  end(): PaperTable {
    const rows = this.#rows;
    const before = this.#brought === null ? {} : { brought: this.#named(this.#brought) };
    return { ...this.#table, rows: inOneBatch(rows), ...before };
  }

  #named(sums: readonly Exact[]): Values {
    return Object.fromEntries(this.#summed.map(({ name }, index) => [name, toNumber(sums[index] as Exact)]));
  }
}

/** Lists the columns whose totals are the sums of all rows, which those of a tree are not. */
function summedColumns({ columns, totals = {}, tree }: ContentTable): readonly Column[] {
  if (tree === true) return [];
  return columns.filter(({ name, measure }) => typeof totals[name] === 'number' && measure !== 'percent');
}

async function* inOneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
