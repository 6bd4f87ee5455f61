/** The company's own accounts by role, as set and as used. */
import type { Context } from '../../db/context.ts';
import type { Db, Reader } from '../../db/database.ts';
import { Account } from '../../db/models/master-data.ts';
import { checkReferences } from '../../db/queries/references.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../domain/accounting/roles.ts';
import { invalidMember } from '../../domain/errors.ts';
import type { AccountingSettings } from '../settings/definitions.ts';
import { keepUnset, loadVersionedSettings, replaceSettings } from '../settings/settings.ts';
import { AccountBook } from './account-book.ts';

const ROLES = Object.keys(ACCOUNT_ROLES) as AccountRole[];

interface Versioned {
  readonly value: AccountingSettings;
  readonly version: number;
}

/** With the accounts used by default; null where the chart has none of that code. */
export async function loadAccounting(reader: Reader): Promise<Versioned> {
  return await withUsed(reader, await loadVersionedSettings(reader, 'accounting'));
}

/** @throws ServiceError validation_failed (an account that does not exist, is inactive, a heading or of a wrong type), stale_version */
export async function replaceAccounting(
  trx: Db,
  ctx: Context,
  value: Partial<AccountingSettings>,
  expectedVersion: number | null,
): Promise<Versioned> {
  const references = ROLES.flatMap((role) => {
    const id = value[roleMember(role)];
    return typeof id === 'string'
      ? [{ pointer: `/${roleMember(role)}`, table: 'accounts', id, mustBeActive: true }]
      : [];
  });
  await checkReferences(trx, references);
  if (value.yearResultAccountId) await checkResultAccount(trx, value.yearResultAccountId, '/yearResultAccountId');
  const stored = await loadVersionedSettings(trx, 'accounting');
  const kept = keepUnset(value, stored.value, (await withUsed(trx, stored)).value);
  return await withUsed(trx, await replaceSettings(trx, ctx, 'accounting', kept, expectedVersion));
}

/** The result account must survive the closing of income and expense. @throws ServiceError validation_failed */
export async function checkResultAccount(trx: Db, id: string, pointer: string): Promise<void> {
  const account = await Account.query(trx).findById(id);
  if (account?.type !== 'income' && account?.type !== 'expense') return;
  throw invalidMember(
    pointer,
    'wrong_type',
    `account ${account.code} cannot receive the result of the year because it is of type ${account.type}`,
  );
}

async function withUsed(reader: Reader, { value, version }: Versioned): Promise<Versioned> {
  const book = await AccountBook.load(reader, { roles: ROLES });
  const used = Object.fromEntries(ROLES.map((role) => [roleMember(role), book.roleId(role)]));
  return { value: { ...value, ...used }, version };
}
