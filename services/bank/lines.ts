/** Lines of statements: reading them with their suggestions, and setting aside those that concern no document. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { BankStatement, BankStatementLine, type LineStatus } from '../../db/models/bank.ts';
import { patchRow } from '../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../domain/errors.ts';
import { presentSuggestion, suggestionsFor } from './suggestions.ts';

type Shown = Record<string, unknown>;

/** @throws ServiceError not_found */
export async function readStatement(db: Db, id: string): Promise<Shown> {
  const statement = await BankStatement.query(db).findById(id);
  if (statement === undefined) throw notFound('This bank statement');
  return BankStatement.present({ ...statement });
}

/** @throws ServiceError not_found */
export async function readLine(db: Db, id: string): Promise<Shown> {
  const line = await BankStatementLine.query(db).findById(id);
  if (line === undefined) throw notFound('This line');
  const [shown] = await withSuggestions(db, [line]);
  return shown as Shown;
}

/** The open lines of a statement with their suggestions, some at a time. @throws ServiceError not_found */
export async function openLines(db: Db, statementId: string, page: number, limit: number) {
  await readStatement(db, statementId);
  const of = () => BankStatementLine.query(db).where({ statement_id: statementId, status: 'open' });
  const total = await of().resultSize();
  const lines = await of()
    .orderBy('position')
    .offset((page - 1) * limit)
    .limit(limit);
  return { rows: await withSuggestions(db, lines), total };
}

/**
 * Sets open lines aside, or opens others again, of which the payment stays; all of them or none.
 * @throws ServiceError validation_failed for a line that does not exist, invalid_transition for a matched one to be set aside
 */
export async function setLines(
  trx: Db,
  ctx: Context,
  ids: readonly string[],
  status: Extract<LineStatus, 'open' | 'ignored'>,
): Promise<Shown[]> {
  const rows = await BankStatementLine.query(trx)
    .whereIn('id', [...ids])
    .orderBy('id')
    .forUpdate();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const changed: Shown[] = [];
  for (const [index, id] of ids.entries()) {
    const row = byId.get(id.toLowerCase());
    if (row === undefined) {
      throw invalidMember(`/line_ids/${index}`, 'invalid_reference', 'refers to a line that does not exist');
    }
    if (row.status === 'matched' && status === 'ignored') {
      const words = 'A matched line has its payment; open it again first';
      throw new ServiceError('invalid_transition', words, {
        errors: [{ pointer: `/line_ids/${index}`, code: 'matched', message: 'is matched' }],
      });
    }
    const next = await patchRow(trx, ctx, BankStatementLine, row, { status, paymentId: null });
    changed.push(BankStatementLine.present({ ...next }));
  }
  return changed;
}

async function withSuggestions(db: Db, lines: readonly BankStatementLine[]): Promise<Shown[]> {
  const suggestions = await suggestionsFor(
    db,
    lines.filter(({ status }) => status === 'open'),
  );
  return lines.map((line) => ({
    ...BankStatementLine.present({ ...line }),
    suggestions: (suggestions.get(line.id) ?? []).map(presentSuggestion),
  }));
}
