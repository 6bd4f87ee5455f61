/** Reads statements and their lines; open lines with their suggestions. */
import { raw } from 'objection';
import type { Db } from '../../db/database.ts';
import { BankStatement, BankStatementLine, PAYMENTS_OF_LINE } from '../../db/models/bank.ts';
import { notFound } from '../../domain/errors.ts';
import { suggestionToJson } from './suggestion-to-json.ts';
import { suggestionsFor } from './suggestions.ts';

type StatementJson = Record<string, unknown>;

/** @throws ServiceError not_found */
export async function readStatement(db: Db, id: string): Promise<StatementJson> {
  const statement = await BankStatement.query(db).findById(id);
  if (statement === undefined) throw notFound('This bank statement');
  return BankStatement.toJson({ ...statement });
}

/** @throws ServiceError not_found */
export async function readLine(db: Db, id: string): Promise<StatementJson> {
  const line = await linesIn(db).findById(id);
  if (line === undefined) throw notFound('This line');
  const [shown] = await withSuggestions(db, [line]);
  return shown as StatementJson;
}

/** The open lines of a statement with their suggestions, page by page. @throws ServiceError not_found */
export async function openLines(db: Db, statementId: string, page: number, limit: number) {
  await readStatement(db, statementId);
  const of = () => linesIn(db).where({ statement_id: statementId, status: 'open' });
  const total = await of().resultSize();
  const lines = await of()
    .orderBy('position')
    .offset((page - 1) * limit)
    .limit(limit);
  return { rows: await withSuggestions(db, lines), total };
}

function linesIn(db: Db) {
  return BankStatementLine.query(db).select('bank_statement_lines.*', raw(PAYMENTS_OF_LINE));
}

async function withSuggestions(db: Db, lines: readonly BankStatementLine[]): Promise<StatementJson[]> {
  const suggestions = await suggestionsFor(
    db,
    lines.filter(({ status }) => status === 'open'),
  );
  return lines.map((line) => ({
    ...BankStatementLine.toJson({ ...line }),
    suggestions: (suggestions.get(line.id) ?? []).map(suggestionToJson),
  }));
}
