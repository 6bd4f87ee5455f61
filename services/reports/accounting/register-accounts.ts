/** Accounts in reports of a register, such as that of fixed assets: what it has on each, beside the balance of the ledger. */
import { Type } from 'typebox';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { amount, text, uuid } from '../../platform/validation/schemas.ts';

/** An account as it is read. */
export interface RegisterAccount {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly register: Decimal;
  readonly ledger: Decimal;
}

/** The schema of an account. @param words what `register` and `difference` mean */
export function registerAccount(words: Readonly<Record<'register' | 'difference', string>>) {
  return Type.Object({
    account_id: uuid(),
    code: text(),
    name: text(),
    register: amount({ description: words.register }),
    ledger: amount({ description: 'Balance of the account' }),
    difference: amount({ description: words.difference }),
    drilldown: text({ max: 500 }),
  });
}

/** @param to the day of the balances */
export function registerAccountsToJson(
  accounts: readonly RegisterAccount[],
  to: string,
  money: (value: Decimal) => number,
) {
  return accounts.map((account) => ({
    ...account,
    register: money(account.register),
    ledger: money(account.ledger),
    difference: money(decimal(account.ledger).minus(account.register).toFixed()),
    drilldown: `/api/reports/ledger?account_id=${account.account_id}&to=${to}`,
  }));
}

/** The table of the accounts in files. */
export function registerAccountTable<Row, Account>(row: Row, accounts: readonly Account[]) {
  return { title: { en: 'Accounts', es: 'Cuentas' }, row, rows: accounts };
}
