/** Types that accounts must have for the purpose that something names them for. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';

const TYPES_SQL = 'select id, code, type from accounts where id = any(:ids::uuid[])';

/**
 * Checks the accounts that members name.
 * @param wanted types by members; a member that names no account is left out
 * @throws ServiceError validation_failed at each member with an account of another type
 */
export async function checkAccountTypes(
  trx: Db,
  values: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, readonly AccountType[]>>,
): Promise<void> {
  const ids = Object.keys(wanted).flatMap((member) => (typeof values[member] === 'string' ? [values[member]] : []));
  if (ids.length === 0) return;
  const found = await prepared<{ id: string; code: string; type: AccountType }>(trx, TYPES_SQL, { ids });
  const faults = new Faults();
  for (const [member, types] of Object.entries(wanted)) {
    const account = found.find(({ id }) => id === values[member]);
    if (account === undefined || types.includes(account.type)) continue;
    const { code, type } = account;
    faults.add(
      `/${member}`,
      'wrong_type',
      `must be an account of type ${types.join(' or ')}: ${code} is of type ${type}`,
    );
  }
  faults.throwIfAny();
}
