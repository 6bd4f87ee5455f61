/**
 * Matches 10,000 payments with 10,000 invoices of one partner, and 1,000 with 1,000 of another: the cost of a payment must not grow with
 * their number, in any mode.
 */
import { Database } from '../db/database.ts';
import type { MatchingMode } from '../domain/trade/payments/types.ts';
import { reconciliationRunPage, startReconciliationRun } from '../services/trade/payments/run.ts';
import type { Check } from './report.ts';
import type { Stage } from './stage.ts';
import { type BenchTrade, openTrade } from './trade.ts';

const MANY = 10_000;
const FEW = 1000;
const LIMIT = 12;
/** by_amount matches two of three payments, and searches combinations for the third. */
const MODES: readonly MatchingMode[] = ['by_reference', 'by_amount', 'by_date'];

export async function reconcileRun(stage: Stage): Promise<Check> {
  const trade = await openTrade(stage, { items: 1, goods: false, series: 1 });
  const database = new Database({ url: stage.databaseUrl, poolSize: 4, applicationName: 'bench' });
  try {
    await matchAll(database, stage, 'by_reference', await openPartner(stage, trade, FEW));
    const measured = [];
    for (const mode of MODES) {
      const [few, many] = [await openPartner(stage, trade, FEW), await openPartner(stage, trade, MANY)];
      await stage.fill('analyze');
      const short = await matchAll(database, stage, mode, few);
      const long = await matchAll(database, stage, mode, many);
      measured.push({ mode, long, ratio: long / short });
    }
    const words = measured.map(
      ({ mode, long, ratio }) => `${mode} ${ratio.toFixed(1)} × (${(long / 1000).toFixed(1)} s)`,
    );
    return {
      name: `match ${MANY} payments with ${MANY} invoices of a partner, against ${FEW} with ${FEW}`,
      measured: words.join(', '),
      limit: `${LIMIT} ×`,
      passed: measured.every(({ ratio }) => ratio <= LIMIT),
    };
  } finally {
    await database.close();
  }
}

/** Creates a partner with equally many open invoices and payments. @returns its id */
async function openPartner({ client, fill, tenantId }: Stage, trade: BenchTrade, count: number): Promise<string> {
  const groups = await client.get('/api/partnerGroups?isCustomer=true');
  const made = await client.post('/api/partners', { name: `Cliente de ${count}`, groupId: groups.body.data[0].id });
  if (made.status !== 201) throw new Error(`The partner was answered ${made.status}: ${JSON.stringify(made.body)}`);
  const partnerId = made.body.data.id as string;
  const { periodId, date, series } = trade;
  await fill(
    `insert into documents (id, tenant_id, doc_type, series_id, period_id, number, code, status, payment_status, partner_id, date,
      reference,
       vat_regime, currency, subtotal, discount_total, tax_total, total, posted_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'SINV', $2, $3, coalesce(top, 0) + n, 'BENCH-' || (coalesce(top, 0) + n), 'O', 'pending', $4, $5,
       'REF-' || n,
       'general', 'EUR', 100 + n * 0.05, 0, 0, 100 + n * 0.05, now(), now(), now()
     from generate_series(1, ${count}) n, (select max(number) as top from documents where series_id = $2) numbers`,
    [tenantId, series[0], periodId, partnerId, date],
  );
  await fill(
    `insert into payments (id, tenant_id, direction, partner_id, amount, currency, date, period_id, payment_method, reference, created_at,
      updated_at)
     select gen_random_uuid(), $1, 'in', $2, 100 + n * 0.05 + case n % 3 when 2 then 0.01 else 0
       end, 'EUR', $3, $4, 'transfer', ' ref-' || n, now(), now()
     from generate_series(1, ${count}) n`,
    [tenantId, partnerId, date, periodId],
  );
  return partnerId;
}

/** Matches all payments. @returns milliseconds of the run */
async function matchAll(
  database: Database,
  { tenantId }: Stage,
  mode: MatchingMode,
  partner_id: string,
): Promise<number> {
  const ctx = { tenantId, userId: null, actor: 'bench', requestId: 'bench', now: new Date() };
  const request = { mode, partner_id, allow_combination: true };
  const { id } = await database.withTenant(ctx, (trx) => startReconciliationRun(trx, ctx, request));
  const started = performance.now();
  const links = { keys: ['a key of the bench, 32 characters or more'], keepDays: 7 };
  while (!(await reconciliationRunPage(database, ctx, id, links)).ended);
  return performance.now() - started;
}
