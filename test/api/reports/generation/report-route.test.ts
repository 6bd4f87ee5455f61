import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { REPORTS } from '../../../../services/reports/generation/reports.ts';
import { model420Report } from '../../../../services/reports/tax-returns/model420.ts';
import { model425Report } from '../../../../services/reports/tax-returns/model425.ts';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const NOW = new Date('2026-11-20T23:30:00Z'); // the 21st in Madrid

/** Models 420 and 425 are only for companies that charge IGIC. */
const ANSWERED = REPORTS.filter((report) => report !== model420Report && report !== model425Report);

describe('reports over HTTP', () => {
  const app = useApp({ clock: { now: NOW } });
  let customerId: string;

  before(async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const partner = await app.client.post('/api/partners', { name: 'Bodegas Águila; S.L.', groupId: group.id });
    customerId = partner.body.data.id;
    const lines = [{ description: 'Servicio', quantity: 1, price: 1000 }];
    const draft = await app.client.post('/api/sales/invoices', {
      partnerId: customerId,
      date: '2026-10-01',
      dueDate: '2026-11-01',
      lines,
    });
    assert.equal(draft.status, 201, JSON.stringify(draft.body));
    await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`);
    const payment = { partner_id: customerId, amount: 60.5, payment_date: '2026-11-02', payment_method: 'transfer' };
    assert.equal((await app.client.post('/api/payments/in', payment)).status, 201);
  });

  it('have an envelope in JSON', async () => {
    const { body } = await app.client.get('/api/reports/aging');
    // 1000 + 21 % VAT = 1210, due 20 days ago on 1 November.
    const amounts = { total_debt: 1210, current: 0, '30_days': 1210, '60_days': 0, '90_plus': 0, credit: 60.5 };
    assert.deepEqual(
      { ...body, data: null, customers: body.customers.length },
      {
        report_name: 'aging',
        generated_at: NOW.toISOString(),
        generated_by: body.generated_by,
        from: null,
        to: '2026-11-21',
        data: null,
        summary: amounts,
        warnings: [],
        customers: 1,
      },
    );
    assert.deepEqual(body.data.customers, body.customers);
    assert.match(body.generated_by, /^[0-9a-f-]{36}$/);
  });

  it('come as CSV, by labels or names', async () => {
    const response = await download(app, '/api/reports/aging?format=csv');
    assert.equal(response.headers.get('Content-Type'), 'text/csv; charset=utf-8');
    assert.equal(response.headers.get('Content-Disposition'), 'attachment; filename="aging-2026-11-21.csv"');
    assert.deepEqual(await readCsv(response, ';'), [
      {
        Tercero: 'Bodegas Águila; S.L.',
        ...{ Total: '1210', 'No vencido': '0', '1 a 30 días': '1210', '31 a 60 días': '0', 'Más de 60 días': '0' },
        'Saldo a favor': '60,5',
      },
    ]);
    const [named] = await readCsv(await download(app, '/api/reports/aging?format=csv&header=names'), ';');
    assert.deepEqual([named?.partner_name, named?.['30_days']], ['Bodegas Águila; S.L.', '1210']);
  });

  it('come as Excel', async () => {
    const response = await download(app, '/api/reports/payments-summary?format=excel&from=2026-11-01&to=2026-11-30');
    assert.match(response.headers.get('Content-Disposition') ?? '', /"payments-summary-2026-11-01-2026-11-30\.xlsx"/);
    const [sheet] = (await readWorkbook(response)).worksheets;
    assert.deepEqual(rowCells(sheet, 2), ['Transferencia', 60.5, 0, 60.5]);
    assert.deepEqual(sheet?.getCell('B3').value, { formula: 'SUBTOTAL(9,B2:B2)', result: 60.5 });
  });

  it('of every kind answer a company without data, as JSON and in each file', async function () {
    this.timeout(60_000);
    const years = 'from=2031-01-01&to=2031-12-31';
    for (const { name, parameters, charts } of ANSWERED) {
      const range = 'from' in parameters ? years : 'year' in parameters ? 'year=2031' : '';
      for (const format of ['json', 'csv', 'excel']) {
        const response = await download(app, `/api/reports/${name}?format=${format}&${range}`);
        // A workbook with charts takes a worker, which is not here. Some need to know of what: an account, a payroll.
        const statuses = [format === 'excel' && charts !== undefined ? 202 : 200, 400];
        assert.ok(statuses.includes(response.status), `${name} ${format}: ${response.status}`);
        await response.arrayBuffer();
      }
    }
  });

  it('of every kind answer for the first and the last days that there are', async function () {
    this.timeout(60_000);
    const accountId = (await app.client.get('/api/accounts?limit=1')).body.data[0].id;
    const { id: employeeId } = await hire(app);
    await generate(app, { year: 2026, month: 1 });
    const [payroll] = await listPayrolls(app, `employeeId=${employeeId}`);
    const partnerId = (
      await app.client.post('/api/partners', {
        name: 'Ana',
        groupId: (await app.client.get('/api/partnerGroups?limit=1')).body.data[0].id,
      })
    ).body.data.id;
    const bankAccountId = await new BankDesk(app).openAccount();
    const ranges = ['from=0001-01-01&to=9999-12-31', 'to=0001-01-03', 'to=9999-12-31', 'from=9999-12-01'];
    for (const { name, parameters } of ANSWERED) {
      const account = 'account_id' in parameters ? `&account_id=${accountId}` : '';
      const whose = 'employee_id' in parameters ? `&employee_id=${employeeId}` : '';
      const partner = /^(customer-statement|supplier-statement|operations-letter)$/.test(name)
        ? `&partner_id=${partnerId}`
        : '';
      const bank = 'bank_account_id' in parameters ? `&bank_account_id=${bankAccountId}` : '';
      const which = 'payroll_id' in parameters ? `&payroll_id=${payroll?.id}` : '';
      for (const range of 'from' in parameters ? ranges : ['']) {
        const { status, body } = await app.client.get(
          `/api/reports/${name}?${range}${account}${whose}${partner}${bank}${which}`,
        );
        const isTooLong =
          status === 400 && /^(from|to) must (not be more than|be in the fiscal year)/.test(body.detail);
        assert.ok(status === 200 || isTooLong, `${name} ${range}: ${status} ${body.detail}`);
      }
    }
  });

  it('of several statements are answered to everybody, however many ask at once', async () => {
    const paths = ['executive', 'cashflow', 'vat'].flatMap((name) => Array<string>(8).fill(`/api/reports/${name}`));
    const answers = await Promise.all(paths.map((path) => app.client.get(path)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  it('know the records that their parameters name, or answer 404', async () => {
    const nobody = '01890000-0000-7000-8000-000000000000';
    const named = ['partner_id', 'warehouse_id', 'department_id', 'item_id', 'project_id', 'cost_center_id'];
    const accountId = (await app.client.get('/api/accounts?limit=1')).body.data[0].id;
    let tried = 0;
    for (const { name, parameters } of ANSWERED) {
      for (const parameter of named.filter((one) => one in parameters)) {
        const others = 'account_id' in parameters ? `&account_id=${accountId}` : '';
        const answer = await app.client.get(`/api/reports/${name}?${parameter}=${nobody}${others}`);
        assertProblem(answer, 404, 'not_found');
        tried++;
      }
    }
    assert.ok(tried > 10, `${tried} parameters`);
  });

  it('refuse what they do not know', async () => {
    const refused = async (query: string, message: RegExp) => {
      const answer = await app.client.get(`/api/reports/${query}`);
      assertProblem(answer, 400, 'invalid_parameter');
      assert.match(answer.body.detail, message);
    };
    await refused('aging?format=xml', /format must be one of/);
    await refused('aging?warehouse_id=1', /warehouse_id is not a parameter/);
    await refused('aging?from=2026-02-30', /from/);
    await refused('aging?from=2026-02-02&to=2026-02-01', /to must not be before from/);
    await refused('aging?format=csv&from=2026-02-02&to=2026-02-01', /to must not be before from/);
    await refused('aging?header=names', /header is allowed only/);
    await refused('aging?partner_id=1', /partner_id/);
    assertProblem(await app.client.get('/api/reports/unknown'), 404, 'not_found');
    assertProblem(await app.client.post('/api/reports/aging', {}), 405, 'method_not_allowed');
    assertProblem(await app.client.post('/api/reports/unknown/generate', {}), 404, 'not_found');
  });
});
