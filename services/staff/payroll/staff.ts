/**
 * The partner that represents all employees: amounts owed to employees are owed to it, so that payments, debts and bank
 * lines work as for other partners and name no employee.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockDefaults } from '../../../db/locks.ts';
import { Partner, PartnerGroup } from '../../../db/models/records/master-data.ts';
import { insertRow } from '../../../db/write.ts';
import { partners } from '../../records/master-data/partners.ts';
import { createOne } from '../../records/resources/rows.ts';

/** In Spanish, like the other defaults of new companies. */
const STAFF = { code: 'PERSONAL', name: 'Personal' } as const;

/**
 * Finds the partner of the employees, the first in the group PERSONAL, or creates it.
 * @param accountId account of its group: 465
 */
export async function staffPartner(trx: Db, ctx: Context, accountId: string): Promise<string> {
  const found = await staffPartnerId(trx);
  if (found !== null) return found;
  await lockDefaults(trx, ctx, { tableName: 'staff_partner' });
  const made = await staffPartnerId(trx);
  if (made !== null) return made;
  const group =
    (await PartnerGroup.query(trx).findOne({ code: STAFF.code })) ??
    (await insertRow(trx, ctx, PartnerGroup, {
      ...STAFF,
      codePrefix: STAFF.code,
      isCustomer: false,
      isVendor: true,
      receivableAccountId: null,
      payableAccountId: accountId,
    }));
  const { id } = await createOne(partners, { trx, ctx, role: 'owner' }, { name: STAFF.name, groupId: group.id });
  return id;
}

async function staffPartnerId(trx: Db): Promise<string | null> {
  const partner = await Partner.query(trx)
    .whereIn('group_id', PartnerGroup.query(trx).select('id').where({ code: STAFF.code }))
    .orderBy('id')
    .first();
  return partner?.id ?? null;
}
