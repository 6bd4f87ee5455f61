/** Parses a bank file in chunks, yielding to other work in between. */
import { setImmediate as turn } from 'node:timers/promises';
import { Camt053Reader } from '../../domain/bank/camt053.ts';
import { type CsvRow, readCsvStatements } from '../../domain/bank/csv.ts';
import type { TableHints } from '../../domain/bank/csv-values.ts';
import { formatOf, type StatementFormat, textOf } from '../../domain/bank/format.ts';
import { Norma43Reader } from '../../domain/bank/norma43.ts';
import { assertLineLimit, BadStatement, type BankStatement } from '../../domain/bank/statement.ts';
import { readCsv } from '../imports/csv.ts';
import { BadTable } from '../imports/source.ts';

/** How many characters are parsed at once. */
const PIECE = 1 << 16;

/**
 * @param given the format, if the client names it; else it is detected
 * @throws BadStatement when the file is invalid, with what is wrong and where
 */
export async function readBankFile(
  content: Uint8Array,
  hints: TableHints,
  given?: StatementFormat,
): Promise<{ format: StatementFormat; statements: BankStatement[] }> {
  const format = given ?? formatOf(content);
  const text = textOf(format, content);
  if (format === 'csv') return { format, statements: await readTable(text, hints) };
  const reader = format === 'camt053' ? new Camt053Reader() : new Norma43Reader();
  for (let at = 0; at < text.length; at += PIECE) {
    reader.push(text.slice(at, at + PIECE));
    await turn();
  }
  return { format, statements: reader.end() };
}

async function readTable(text: string, hints: TableHints): Promise<BankStatement[]> {
  const rows: CsvRow[] = [];
  try {
    for await (const some of readCsv(new TextEncoder().encode(text))) {
      rows.push(...some);
      assertLineLimit(rows.length, some[0]?.line ?? 1);
    }
  } catch (error) {
    throw error instanceof BadTable ? new BadStatement(error.errors) : error;
  }
  const statements = readCsvStatements(rows, hints);
  for (;;) {
    const step = statements.next();
    if (step.done) return step.value;
    await turn();
  }
}
