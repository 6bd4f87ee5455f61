/**
 * The partner who stands for all employees: what is owed to them is owed to it, so that payments, debts and bank lines work as for other
 * partners and name nobody.
 */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Partner, PartnerGroup } from '../../db/models/master-data.ts';
import { insertRow } from '../../db/write.ts';
import { partners } from '../master-data/partners.ts';
import { lockDefaults } from '../resources/defaults.ts';
import { createOne } from '../resources/rows.ts';

/** Spanish, as what every new company has. */
const STAFF = { code: 'PERSONAL', name: 'Personal' } as const;

/**
 * The partner of the employees, made when it is first needed. It is the first one of the group PERSONAL.
 * @param accountId on which its group stands: 465
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
