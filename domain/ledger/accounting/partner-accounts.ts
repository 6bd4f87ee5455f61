/** Partner accounts: manual lines on them create open items (PGC, groups 40, 41, 43 and 44). */
import type { PaymentDirection } from '../../trade/payments/types.ts';
import { type AccountRole, roleMember } from './roles.ts';

const CODES: Readonly<Record<PaymentDirection, RegExp>> = { in: /^4[34]/, out: /^(4[01]|173|523)/ };
const ROLES: Readonly<Record<PaymentDirection, readonly AccountRole[]>> = {
  in: ['receivable', 'billsReceivable', 'customerAdvances'],
  out: ['payable', 'payableServices', 'payableAssets', 'payableAssetsLongTerm', 'billsPayable', 'supplierAdvances'],
};

/**
 * Who owes the balance of an account: customers (`in`), the company (`out`), or nobody (null).
 * @param config of accounting: accounts by the members of their roles
 */
export function partnerSide(
  { id, code }: { readonly id: string; readonly code: string },
  config: Readonly<Record<string, unknown>>,
): PaymentDirection | null {
  const sides = ['in', 'out'] as const;
  const byRole = sides.find((side) => ROLES[side].some((role) => config[roleMember(role)] === id));
  return byRole ?? sides.find((side) => CODES[side].test(code)) ?? null;
}
