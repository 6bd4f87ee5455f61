/** The company's accounts that entries of what is not invoiced yet may need. */
import type { AccountRole } from '../../../domain/accounting/roles.ts';

export const PENDING_ROLES: Readonly<Record<'sales' | 'purchase', readonly AccountRole[]>> = {
  sales: ['salesPending', 'salesGoods', 'salesServices', 'salesReturns'],
  purchase: ['purchasesPending', 'purchaseGoods', 'purchaseServices', 'purchaseReturns'],
};
