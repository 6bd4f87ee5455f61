/** The accrual of the cash basis at the end of a year, on a real Temporal server. */
import assert from 'node:assert/strict';
import { openReports } from '../../../api/reports/golden-quarter.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { companyDay } from '../../../helpers/clock.ts';
import { assertSound, use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

type Body = Record<string, unknown>;

describe('the accrual of the cash basis at the end of a year', function () {
  this.timeout(180_000);
  const temporal = useTemporal();
  const app = useApp({ clock: REAL_CLOCK });
  const books = use(() => openReports(app));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const lastYear = Number(companyDay(REAL_CLOCK.now).slice(0, 4)) - 1;
  const sell = (date: string, price: number, more: Body = {}) =>
    books.invoice('sales', date, price, more, { taxGroupId: books.taxes.get('IVA21') });
  /** @returns its outcome */
  const accrue = async (): Promise<string> => {
    const { body } = await app.client.post('/api/tax-accruals', { year: lastYear });
    return await eventually(async () => {
      const { data } = (await app.client.get(`/api/tasks/${body.task_id}`)).body;
      assert.equal(data.status, 'completed');
      return data.message;
    }, 60_000);
  };
  const pay = (date: string, amount: number, document_id: string) =>
    books.make('/api/payments/in', {
      ...{ partner_id: books.customerId, amount, payment_date: date, payment_method: 'transfer' },
      linked_documents: [{ document_type: 'sales_invoice', document_id }],
    });

  it('accrues what is unpaid once, and payments after that accrue nothing', async () => {
    const { data } = (await app.client.get('/api/config/tax')).body;
    await app.client.put('/api/config/tax', { ...data, cashBasisYears: [lastYear - 1, lastYear] });
    await books.make('/api/periods/generate', { year: lastYear - 1 });
    const old = await sell(`${lastYear - 1}-03-10`, 100);
    const cancelled = await sell(`${lastYear - 1}-03-11`, 300);
    await sell(`${lastYear}-03-10`, 1000);
    await pay(`${lastYear}-02-01`, 60.5, old.id);
    assertProblem(
      await app.client.post('/api/tax-returns', { model: '303', year: lastYear, period: '4T' }),
      409,
      'invalid_transition',
    );
    assert.equal(await accrue(), `VAT of 2 invoices accrued on ${lastYear}-12-31`);
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-210, -84]);
    await pay(`${lastYear + 1}-01-10`, 60.5, old.id);
    await books.make(`/api/sales/invoices/${cancelled.id}/cancel`);
    assert.deepEqual([await books.balance('4778'), await books.balance('477000')], [-210, -21]);
    assert.equal(await accrue(), `VAT of 0 invoices accrued on ${lastYear}-12-31`);
    const { body } = await app.client.get(`/api/reports/tax/cash-basis?from=${lastYear}-01-01&to=${lastYear}-12-31`);
    assert.deepEqual(
      body.data.rows.map(({ means, paid, amount }: Body) => [means, paid, amount]),
      [
        ['01', 60.5, 10.5],
        ['03', 0, 10.5],
        ['03', 0, 63],
      ],
    );
    assert.deepEqual(
      body.data.pending.map(({ due_on, amount }: Body) => [due_on, amount]),
      [[`${lastYear + 1}-12-31`, 210]],
    );
    await assertSound(app.databaseUrl);
  });

  it('is refused for a year that is not over', async () => {
    const answer = await app.client.post('/api/tax-accruals', { year: lastYear + 1 });
    assertProblem(answer, 422, 'validation_failed');
  });
});
