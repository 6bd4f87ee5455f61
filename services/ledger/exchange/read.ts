/** Revaluations as clients see them. */
import type { Reader } from '../../../db/database.ts';
import { ExchangeRevaluation } from '../../../db/models/ledger/exchange.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { toNumber } from '../../../domain/money.ts';

/** The head of a revaluation. */
export function revaluationHead({ tenantId: _, lines: __, rates, gain, loss, ...head }: ExchangeRevaluation) {
  return {
    ...head,
    status: head.cancelledAt === null ? ('posted' as const) : ('cancelled' as const),
    rates: Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, toNumber(rate)])),
    gain: toNumber(gain),
    loss: toNumber(loss),
  };
}

const NAMES_SQL = `select (select json_object_agg(id, code) from accounts where id = any(:accounts::uuid[])) as accounts,
  (select json_object_agg(id, name) from partners where id = any(:partners::uuid[])) as partners`;

type Names = Readonly<Record<string, string>> | null;

/** @throws ServiceError not_found */
export async function readRevaluation(reader: Reader, id: string) {
  const found = await findRow(reader, ExchangeRevaluation, { id });
  if (found === undefined) throw notFound('This revaluation');
  const [names] = await query<{ accounts: Names; partners: Names }>(reader, NAMES_SQL, {
    accounts: found.lines.map(({ accountId }) => accountId),
    partners: found.lines.flatMap(({ partnerId }) => partnerId ?? []),
  });
  return {
    ...revaluationHead(found),
    lines: found.lines.map(({ accountId, partnerId, currency, amount, value, newValue, difference }) => ({
      accountId,
      accountCode: names?.accounts?.[accountId] ?? '',
      partnerId,
      partnerName: partnerId === null ? null : (names?.partners?.[partnerId] ?? null),
      currency,
      amount: toNumber(amount),
      value: toNumber(value),
      newValue: toNumber(newValue),
      difference: toNumber(difference),
    })),
  };
}
