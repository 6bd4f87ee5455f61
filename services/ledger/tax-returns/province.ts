/** Where partners are, for returns that tell their province. */
import { SPAIN } from '../../platform/settings/company.ts';

/** SQL of the first two digits of a partner's Spanish postal code, or null. @param partner the alias of its row */
export function provinceSql(partner: string): string {
  return `(select left(a.zip_code, 2) from partner_addresses a
      where a.partner_id = ${partner}.id and a.zip_code ~ '^[0-9]{5}$' and coalesce(a.country_code, ${partner}.country_code) = '${SPAIN}'
      order by a.type, a.is_default desc, a.id limit 1)`;
}
