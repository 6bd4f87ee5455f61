import type { Db } from '../../../db/database.ts';
import { Account } from '../../../db/models/records/master-data.ts';
import { Faults } from '../../../domain/faults.ts';
import { REQUIREMENTS } from '../../../domain/ledger/accounting/dimensions.ts';
import { choice, flag, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { assertNoEntries, checkAccount } from './account-tree.ts';
import { checkUses } from './account-uses.ts';

export const ACCOUNT_TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const;

export const accounts = declareResource({
  name: 'Account',
  plural: 'Accounts',
  path: '/api/accounts',
  tag: 'Accounts',
  model: Account,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    type: { schema: choice(ACCOUNT_TYPES), required: true },
    parentId: { schema: uuid({ description: 'A heading account' }), reference: { table: 'accounts' } },
    isHeading: { schema: flag({ description: 'Groups other accounts; nothing is entered on it' }), default: false },
    active: { schema: flag(), default: true },
    requires: {
      schema: choice(REQUIREMENTS, { description: 'What each line that is entered on it must name' }),
      default: 'none',
    },
  },
  async onCreate({ trx, ctx }, values) {
    await checkAccount(trx, ctx, values, null);
    return values;
  },
  async onPatch({ trx, ctx }, values, current) {
    await checkAccount(trx, ctx, values, current);
    await assertNoEntries(trx, values, current);
    if (values.type !== undefined && values.type !== current.type) await checkType(trx, current, values.type);
    return values;
  },
});

/** @throws ServiceError validation_failed */
async function checkType(trx: Db, { id, code }: Account, type: unknown): Promise<void> {
  const faults = new Faults();
  await checkUses(trx, [{ id, code, type: String(type), pointer: '/type' }], faults);
  faults.throwIfAny();
}
