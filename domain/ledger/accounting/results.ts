/** Income and expense: the accounts that begin each fiscal year at zero, whether the year before is closed or not. */
import type { AccountType } from './charts/chart.ts';

export const RESULT_TYPES = ['income', 'expense'] as const satisfies readonly AccountType[];

/** Whether an account's balance is part of the result of its fiscal year. */
export function isOfResult({ type }: { readonly type: string }): boolean {
  return RESULT_TYPES.some((ofResult) => ofResult === type);
}
