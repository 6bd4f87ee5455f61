/** Partner accounts: manual lines on them create open items. */
import type { PaymentDirection } from '../../trade/payments/types.ts';
import { type AccountGroup, isIn } from './charts/chart.ts';
import { chartNamed } from './charts/index.ts';
import { type AccountRole, roleMember } from './roles.ts';

const GROUPS: Readonly<Record<PaymentDirection, AccountGroup>> = { in: 'customers', out: 'suppliers' };
/** Further accounts of each side, by what the company uses them for. */
export const PARTNER_ROLES: Readonly<Record<PaymentDirection, readonly AccountRole[]>> = {
  in: ['receivable', 'doubtfulReceivable', 'billsReceivable', 'customerAdvances'],
  out: ['payable', 'payableServices', 'payableAssets', 'payableAssetsLongTerm', 'billsPayable', 'supplierAdvances'],
};

/**
 * Who owes the balance of an account: customers (`in`), the company (`out`), or nobody (null).
 * @param config of accounting: the chart, and accounts by the members of their roles
 */
export function partnerSide(
  { id, code }: { readonly id: string; readonly code: string },
  config: Readonly<Record<string, unknown>>,
): PaymentDirection | null {
  const sides = ['in', 'out'] as const;
  const byRole = sides.find((side) => PARTNER_ROLES[side].some((role) => config[roleMember(role)] === id));
  const chart = chartNamed(config.chart);
  return byRole ?? sides.find((side) => isIn(chart, GROUPS[side], code)) ?? null;
}
