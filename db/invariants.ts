/**
 * What must always hold in every database, as SQL. `npm run verify` and the end-to-end tests check all of it. Each query yields one row for
 * each thing checked: `tenant_id`, `id` (for the reader to look up) and `ok`. All joins include the tenant, so that results are the same
 * for one tenant as for the owner: what belongs to another tenant counts as missing.
 */

import { BALANCES } from './invariants/balances.ts';
import { BANK } from './invariants/bank.ts';
import { ACCOUNTING_TIME, AMOUNTS, NUMBERS } from './invariants/documents.ts';
import type { Invariant } from './invariants/invariant.ts';
import { LEDGER } from './invariants/ledger.ts';
import { PAYMENTS } from './invariants/payments.ts';
import { PAYROLL } from './invariants/payroll.ts';
import { PROGRESS } from './invariants/progress.ts';
import { STOCK } from './invariants/stock.ts';
import { REFERENCES, TRACES } from './invariants/traces.ts';

export type { Invariant };

/** All of them, in the order in which they are printed. */
export const INVARIANTS: readonly Invariant[] = [
  ...STOCK,
  ...AMOUNTS,
  ...NUMBERS,
  ...PROGRESS,
  ...ACCOUNTING_TIME,
  ...LEDGER,
  ...BALANCES,
  ...PAYMENTS,
  ...BANK,
  ...PAYROLL,
  ...REFERENCES,
  ...TRACES,
];
