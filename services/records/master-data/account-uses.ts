/** Keeps accounts of income and expense from being what the company's balances stand on. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { Faults } from '../../../domain/faults.ts';
import { CHARTS, DEFAULT_CHART } from '../../../domain/ledger/accounting/charts/index.ts';
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';

/** Roles whose usual account has a balance that goes on from year to year. */
const BALANCE_ROLES = (Object.keys(ACCOUNT_ROLES) as AccountRole[]).filter((role) =>
  [DEFAULT_CHART, ...CHARTS].every(({ accounts, roles }) => {
    const usual = accounts.find(({ code }) => code === roles[role]);
    return usual === undefined || !isOfResult(usual);
  }),
);

const USES_SQL = `select account_id as id, 'the bank account ' || name as name from bank_accounts where account_id = any(:ids::uuid[])
  union all select uses.id, 'the partner group ' || g.name
    from partner_groups g cross join lateral unnest(array[g.receivable_account_id, g.payable_account_id]) uses(id)
    where uses.id = any(:ids::uuid[])
  union all select uses.id, 'the tax ' || t.code
    from taxes t cross join lateral unnest(array[t.output_account_id, t.input_account_id, t.surcharge_account_id,
      t.intra_eu_output_account_id, t.intra_eu_input_account_id]) uses(id)
    where uses.id = any(:ids::uuid[])`;

interface Typed {
  readonly id: string;
  readonly code: string;
  readonly type: string;
  /** The member with the type. */
  readonly pointer: string;
}

/** Adds a fault for each account that is of income or expense now, though customers, suppliers, banks or taxes stand on it. */
export async function checkUses(trx: Db, written: readonly Typed[], faults: Faults): Promise<void> {
  const ofResult = written.filter(isOfResult);
  if (ofResult.length === 0) return;
  const ids = ofResult.map(({ id }) => id);
  const book = await AccountBook.load(trx, { roles: BALANCE_ROLES });
  const roles = BALANCE_ROLES.map((role) => ({
    id: book.roleId(role),
    name: `${roleMember(role)} of /api/config/accounting`,
  }));
  const uses = [...roles, ...(await prepared<{ id: string; name: string }>(trx, USES_SQL, { ids }))];
  for (const { id, code, type, pointer } of ofResult) {
    const use = uses.find((one) => one.id === id);
    if (use === undefined) continue;
    const words = `account ${code} cannot be of type ${type} because ${use.name} uses it; let that use another account first`;
    faults.add(pointer, 'wrong_type', words);
  }
}
