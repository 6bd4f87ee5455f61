/**
 * Invariants of every database, as SQL. `npm run verify` and the end-to-end tests check them all. Each query returns one row per thing
 * checked: `tenant_id`, `id` (for looking it up) and `ok`. All joins include the tenant, so that results are the same for one tenant as
 * for the owner: records of another tenant count as missing.
 */

import { ASSETS } from './invariants/assets.ts';
import { BALANCES } from './invariants/balances.ts';
import { BANK } from './invariants/bank.ts';
import { ACCOUNTING_TIME, AMOUNTS, NUMBERS } from './invariants/documents.ts';
import type { Invariant } from './invariants/invariant.ts';
import { LEDGER } from './invariants/ledger.ts';
import { PAYMENTS } from './invariants/payments.ts';
import { PAYROLL } from './invariants/payroll.ts';
import { PROGRESS } from './invariants/progress.ts';
import { STOCK } from './invariants/stock.ts';
import { REFERENCES, STORAGE, TRACES } from './invariants/traces.ts';
import { VERIFACTU } from './invariants/verifactu.ts';

export type { Invariant };

/** All invariants, in the order of printing. */
export const INVARIANTS: readonly Invariant[] = [
  ...STOCK,
  ...AMOUNTS,
  ...NUMBERS,
  ...PROGRESS,
  ...ACCOUNTING_TIME,
  ...LEDGER,
  ...BALANCES,
  ...ASSETS,
  ...PAYMENTS,
  ...BANK,
  ...PAYROLL,
  ...VERIFACTU,
  ...REFERENCES,
  ...TRACES,
  ...STORAGE,
];
