/** Reads statements and their lines; open lines with their suggestions. */

import type { Reader } from '../../../db/database.ts';
import { BankStatement, BankStatementLine, PAYMENTS_OF_LINE } from '../../../db/models/bank/statements.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { findRow } from '../../../db/queries/find.ts';
import { type Bindings, prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { suggestionToJson } from './suggestion-to-json.ts';
import { findSuggestions } from './suggestions.ts';

type StatementJson = Record<string, unknown>;

/** Reads a statement. @throws ServiceError not_found */
export async function readStatement(reader: Reader, id: string): Promise<StatementJson> {
  const statement = await findRow(reader, BankStatement, { id });
  if (statement === undefined) throw notFound('This bank statement');
  return BankStatement.toJson({ ...statement });
}

/** Reads a line. @throws ServiceError not_found */
export async function readLine(reader: Reader, id: string): Promise<StatementJson> {
  const [line] = await linesWhere(reader, 'id = :id', { id });
  if (line === undefined) throw notFound('This line');
  const [shown] = await withSuggestions(reader, [line]);
  return shown as StatementJson;
}

/** Lists a page of open lines of a statement with their suggestions. @throws ServiceError not_found */
export async function listOpenLines(reader: Reader, statementId: string, page: number, limit: number) {
  await readStatement(reader, statementId);
  const open = "statement_id = :statementId and status = 'open'";
  const [counted] = await prepared<{ total: number }>(
    reader,
    `select count(*) as total from bank_statement_lines where ${open}`,
    { statementId },
  );
  const shown = { statementId, limit, skipped: (page - 1) * limit };
  const lines = await linesWhere(reader, `${open} order by position limit :limit offset :skipped`, shown);
  return { rows: await withSuggestions(reader, lines), total: counted?.total ?? 0 };
}

async function linesWhere(reader: Reader, condition: string, bindings: Bindings): Promise<BankStatementLine[]> {
  const sql = `select *, ${PAYMENTS_OF_LINE} from bank_statement_lines where ${condition}`;
  return (await prepared<JsonRow>(reader, sql, bindings)).map((row) => fromRow(BankStatementLine, row));
}

async function withSuggestions(reader: Reader, lines: readonly BankStatementLine[]): Promise<StatementJson[]> {
  const suggestions = await findSuggestions(
    reader,
    lines.filter(({ status }) => status === 'open'),
  );
  return lines.map((line) => ({
    ...BankStatementLine.toJson({ ...line }),
    suggestions: (suggestions.get(line.id) ?? []).map(suggestionToJson),
  }));
}
