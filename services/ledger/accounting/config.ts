/** The company's own accounts by role, as configured and as used. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Account } from '../../../db/models/records/master-data.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import type { AccountingSettings } from '../../platform/settings/definitions.ts';
import { keepUnset, loadVersionedSettings, replaceSettings } from '../../platform/settings/settings.ts';
import { AccountBook } from './account-book.ts';

const ROLES = Object.keys(ACCOUNT_ROLES) as AccountRole[];
const ACCOUNTS = Object.fromEntries(ROLES.map((role) => [roleMember(role), 'accounts'])) as Readonly<
  Record<ReturnType<typeof roleMember>, string>
>;

interface Versioned {
  readonly value: AccountingSettings;
  readonly version: number;
}

/** Loads the configured accounts together with the defaults; null if the chart has no account with the default code. */
export async function loadAccounting(reader: Reader): Promise<Versioned> {
  return await withDefaults(reader, await loadVersionedSettings(reader, 'accounting'));
}

/**
 * Replaces the configured accounts.
 * @throws ServiceError validation_failed (an account is missing, inactive, a heading or of the wrong type; another chart),
 * stale_version
 */
export async function replaceAccounting(
  trx: Db,
  ctx: Context,
  value: Partial<AccountingSettings>,
  expectedVersion: number | null,
): Promise<Versioned> {
  const tables = { ...ACCOUNTS, defaultCostCenterId: 'cost_centers', defaultProjectId: 'projects' };
  const references = Object.entries(tables).flatMap(([member, table]) => {
    const id = value[member as keyof typeof tables];
    return typeof id === 'string' ? [{ pointer: `/${member}`, table, id, mustBeActive: true }] : [];
  });
  await checkReferences(trx, references);
  if (value.yearResultAccountId) await checkResultAccount(trx, value.yearResultAccountId, '/yearResultAccountId');
  const stored = await loadVersionedSettings(trx, 'accounting');
  const { chart } = stored.value;
  if (value.chart !== undefined && value.chart !== chart) {
    const words = `must be ${chart}, the company's chart; POST /api/accounts/import-chart brings another one`;
    throw invalidMember('/chart', 'not_allowed', words);
  }
  const kept = { ...keepUnset(value, stored.value, (await withDefaults(trx, stored)).value), chart };
  return await withDefaults(trx, await replaceSettings(trx, ctx, 'accounting', kept, expectedVersion));
}

/**
 * Checks the result account, which must survive the closing of income and expense.
 * @throws ServiceError validation_failed
 */
export async function checkResultAccount(trx: Db, id: string, pointer: string): Promise<void> {
  const account = await Account.query(trx).findById(id);
  if (account?.type !== 'income' && account?.type !== 'expense') return;
  throw invalidMember(
    pointer,
    'wrong_type',
    `account ${account.code} cannot receive the result of the year because it is of type ${account.type}`,
  );
}

async function withDefaults(reader: Reader, { value, version }: Versioned): Promise<Versioned> {
  const book = await AccountBook.load(reader, { roles: ROLES });
  const used = Object.fromEntries(ROLES.map((role) => [roleMember(role), book.roleId(role)]));
  return { value: { ...value, ...used }, version };
}
