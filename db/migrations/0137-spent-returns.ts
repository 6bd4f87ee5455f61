import { perTenant } from './per-tenant.ts';

/**
 * Changing reference or notes of a payment that had come back, or of its return, made credit of it. Both are spent: the money of the one
 * went away with the other.
 */
export const up = perTenant(`
  update payments p set applied_total = p.amount
    where p.applied_total <> p.amount
      and (p.returns is not null or exists (select from payments b where b.tenant_id = p.tenant_id and b.returns = p.id));
`);
