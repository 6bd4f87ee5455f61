/** The currency of a line, which is its bank account's, and its rate on the line's day. */
import type { Db, Reader } from '../../../db/database.ts';
import type { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { rateOn } from '../../../db/queries/exchange-rates.ts';
import { prepared, query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import type { Decimal } from '../../../domain/money.ts';
import { CURRENCY, PLACES } from '../../platform/settings/format.ts';

export interface LineCurrency {
  readonly currency: string;
  /** Units of it for one of the company's currency; null if it is the company's. */
  readonly rate: Decimal | null;
  /** Decimals of amounts in the company's currency. */
  readonly companyPlaces: number;
}

const SQL = `
  with money as (select coalesce(b.currency, ${CURRENCY}) as currency, ${CURRENCY} as company from bank_accounts b
    where b.id = :bankAccountId::uuid)
  select currency, currency <> company as "isOther", ${PLACES} as "companyPlaces",
    case when currency <> company then ${rateOn('money.currency', ':date::date')} end as rate
  from money`;

/** @throws ServiceError validation_failed if there is no rate */
export async function lineCurrency(
  trx: Db,
  { bankAccountId, date }: Pick<BankStatementLine, 'bankAccountId' | 'date'>,
): Promise<LineCurrency> {
  const [found] = await prepared<LineCurrency & { readonly isOther: boolean }>(trx, SQL, { bankAccountId, date });
  if (found === undefined) throw new Error('a line has a bank account');
  const { isOther, ...money } = found;
  if (!isOther || money.rate !== null) return money;
  const message = `is in ${money.currency}, which has no rate for ${date} or before; add one with POST /api/exchange-rates`;
  throw invalidMember('/line_id', 'no_exchange_rate', message);
}

/** The currencies of bank accounts, by their ids. */
export async function accountCurrencies(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ id: string; currency: string }>(
    reader,
    `select id, coalesce(currency, ${CURRENCY}) as currency from bank_accounts`,
    {},
  );
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}
