/** Bad debts as clients see them. */
import type { Reader } from '../../../db/database.ts';
import { jsonList, selectJsonColumns } from '../../../db/models/selected.ts';
import type { Row } from '../../../db/models/table.ts';
import { BadDebt, BadDebtMovement } from '../../../db/models/trade/bad-debts.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { toNumber } from '../../../domain/money.ts';

/** The head of a bad debt. */
export function badDebtHead(row: BadDebt) {
  const { id, code, documentId, partnerId, provided, doubtful, writtenOff, version, createdAt, updatedAt } = row;
  const amounts = { provided: toNumber(provided), doubtful: toNumber(doubtful), writtenOff: toNumber(writtenOff) };
  return { id, code, documentId, partnerId, ...amounts, version, createdAt, updatedAt };
}

const MOVEMENTS_SQL = `select ${jsonList(`select ${selectJsonColumns(BadDebtMovement, 'm')} from bad_debt_movements m
  where m.bad_debt_id = :id::uuid order by m.id`)} as movements`;

/** @throws ServiceError not_found */
export async function readBadDebt(reader: Reader, id: string) {
  const row = (await findRow(reader, BadDebt, { id })) as BadDebt | undefined;
  if (row === undefined) throw notFound('This bad debt');
  const [found] = await query<{ movements: readonly Row<typeof BadDebtMovement>[] }>(reader, MOVEMENTS_SQL, { id });
  const movements = (found?.movements ?? []).map(
    ({ badDebtId: _, undoesId: __, provided, doubtful, writtenOff, ...one }) => ({
      ...one,
      ...{ provided: toNumber(provided), doubtful: toNumber(doubtful), writtenOff: toNumber(writtenOff) },
    }),
  );
  return { ...badDebtHead(row), movements };
}
