import assert from 'node:assert/strict';
import { query } from '../../../db/sql.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { postInvoice } from '../../../services/documents/actions.ts';
import { createDocument } from '../../../services/documents/create.ts';
import { matchingStatement, type Way } from '../../../services/payments/candidates.ts';
import { type TestCompany, testCompany } from '../../helpers/company.ts';

const COPIES = 4000;

/** What the indexes of each way are asked for; other rows need not be looked at. */
const CONDITIONS: Readonly<Record<Way, readonly RegExp[]>> = {
  by_reference: [/reference_key = w\.reference/, /supplier_key = w\.reference/, /code_key = w\.reference/],
  by_amount: [/outstanding_key = w\.remaining/],
  by_combination: [/outstanding_key = w\.remaining/, /outstanding_key < w\.remaining/],
  by_date: [/partner_id = w\.partner/],
};

describe('open invoices for payments', function () {
  this.timeout(60_000);
  let company: TestCompany;

  before(async () => {
    company = await testCompany();
    const { ctx, customerId: partnerId, taxId: taxGroupId } = company;
    await company.run(async (trx) => {
      const lines = [{ description: 'Servicio', quantity: 1, price: 10, taxGroupId }];
      const draft = await createDocument(trx, ctx, 'SINV', { partnerId, lines });
      await postInvoice(trx, ctx, String(draft.id), { ifMatch: null });
    });
    const [columns] = await company.rows(
      `select string_agg(column_name, ', ') as own, string_agg('copy.' || column_name, ', ') as copied
       from information_schema.columns where table_name = 'documents' and is_generated = 'NEVER'`,
    );
    await company.rows(
      `insert into documents (${columns?.own}) select ${columns?.copied} from documents d, generate_series(1, ${COPIES}) n,
         jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'number', 1000 + n, 'code', 'COPY' || n, 'reference', 'R' || n,
           'total', d.total + n)) copy`,
    );
    // As autovacuum does within a minute.
    await connect(company.url, (client) => client.query('analyze documents'), 30_000);
  });
  after(() => company.close());

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
