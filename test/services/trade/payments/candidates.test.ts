import assert from 'node:assert/strict';
import { query } from '../../../../db/sql.ts';
import type { MatchRequest } from '../../../../domain/trade/payments/match.ts';
import { connect } from '../../../../runtime/postgres-client.ts';
import { matchingStatement, openInvoices, type Way } from '../../../../services/trade/payments/candidates.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { owed, received } from '../../../helpers/receivables.ts';

const COPIES = 4000;

/** Index conditions of each way; other rows need not be read. */
const CONDITIONS: Readonly<Record<Way, readonly RegExp[]>> = {
  by_reference: [/reference_key = w\.reference/, /supplier_key = w\.reference/, /code_key = w\.reference/],
  auto_reconcile: [/reference_key = w\.reference/],
  by_amount: [/outstanding_key = w\.remaining/],
  by_combination: [/outstanding_key = w\.remaining/, /outstanding_key < w\.remaining/],
  by_date: [/partner_id = w\.partner/],
};

describe('open invoices for payments', function () {
  this.timeout(60_000);

  const company = useCompany({ sound: false });
  before(async () => {
    await owed(company, 12.1);
    const [columns] = await company.rows(
      `select string_agg(column_name, ', ') as own, string_agg('copy.' || column_name, ', ') as copied
       from information_schema.columns where table_name = 'documents' and is_generated = 'NEVER'`,
    );
    await company.rows(
      `insert into documents (${columns?.own}) select ${columns?.copied} from documents d, generate_series(1, ${COPIES}) n,
         jsonb_populate_record(d, jsonb_build_object('id', (left(d.id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'number', 1000 + n,
           'code', 'COPY' || n, 'reference', 'R' || n,
           'total', d.total + n)) copy`,
    );
    // Autovacuum does this within a minute.
    await connect(company.url, (client) => client.query('analyze documents'), 30_000);
  });

  const found = async (amount: number, reference: string | null, request: MatchRequest) => {
    const payment = await received(company, amount, { reference });
    return company.run(async (trx) => {
      const candidates = (await openInvoices(trx, 'in', [payment], request)).get(payment.id);
      const codes = (candidates?.invoices ?? [])
        .map(({ code }) => code)
        .slice(0, 5)
        .sort();
      return { codes, count: candidates?.invoices.length, tooMany: candidates?.tooMany };
    });
  };

  it('are those that the mode compares, and no more than can be looked at', async () => {
    const one = (code: string) => ({ codes: [code], count: 1, tooMany: false });
    const none = { codes: [], count: 0, tooMany: false };
    assert.deepEqual(await found(5, ' r17 ', { mode: 'by_reference' }), one('COPY17'));
    assert.deepEqual(await found(5, ' copy17 ', { mode: 'by_reference' }), one('COPY17'));
    assert.deepEqual(await found(5, null, { mode: 'by_reference' }), none);
    assert.deepEqual(await found(5, ' r17 ', { mode: 'auto_reconcile' }), one('COPY17'));
    assert.deepEqual(await found(5, 'copy17', { mode: 'auto_reconcile' }), none);
    assert.deepEqual(await found(12.1 + 17, null, { mode: 'by_amount' }), one('COPY17'));
    assert.deepEqual(await found(12.15, null, { mode: 'by_amount' }), none);
    const combined = { mode: 'by_amount', allowCombination: true } as const;
    assert.deepEqual(await found(12.1 + 2, null, combined), {
      codes: ['COPY1', 'COPY2', 'SINV2026-00001'],
      count: 3,
      tooMany: false,
    });
    assert.deepEqual(await found(12.1 + 2000, null, combined), { ...one('COPY2000'), tooMany: true });
    assert.deepEqual(await found(1e6, null, combined), { ...none, tooMany: true });
    // The oldest, as far as the payment reaches: 12.10, 13.10, 14.10.
    assert.equal((await found(30, null, { mode: 'by_date' })).count, 3);
    assert.deepEqual(await found(30, null, { mode: 'by_date', to: '2026-01-01' }), none);
  });

  for (const [way, conditions] of Object.entries(CONDITIONS)) {
    it(`are found by indexes ${way.replace('_', ' ')}, seen as the service sees them`, async () => {
      const statement = matchingStatement(way as Way, 'in');
      const bindings = { wanted: '[]', from: null, to: null };
      const plan = await company.run((trx) => query<Record<string, string>>(trx, `explain ${statement}`, bindings));
      const lines = plan.map((row) => row['QUERY PLAN'] ?? '');
      const asked = lines.filter((line) => line.includes('Index Cond:'));
      const unserved = conditions.filter((condition) => !asked.some((line) => condition.test(line)));
      assert.deepEqual(unserved, [], lines.join('\n'));
      assert.ok(!lines.some((line) => /(Seq|Bitmap Heap) Scan on documents/.test(line)), lines.join('\n'));
    });
  }
});
