import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../../trade/payments/till.ts';

describe('entries imported from files', function () {
  this.timeout(60_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const books = use(() => openBooks(app), { each: true });

  const send = async (csv: string, query = ''): Promise<Pick<Answer, 'status' | 'body'>> => {
    const response = await fetch(
      `${app.address}/api/journal-entries/import?date=${YEAR}-01-01&kind=opening&post=true${query}`,
      { method: 'POST', headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv' }, body: csv },
    );
    return { status: response.status, body: await response.json() };
  };
  const partnerCode = async (id: string) => (await till.read(`/api/partners/${id}`)).code as string;

  it('open the books with balances, and with open items and due dates of partners', async () => {
    const [customer, supplier] = [await partnerCode(till.customerId), await partnerCode(till.supplierId)];
    const csv = [
      'Cuenta;Tercero;Debe;Haber;Vencimiento;Referencia',
      `430;${customer};1.210,50;0;${YEAR - 1}-12-31;F-2019/7`,
      `430;${customer};100;;${YEAR}-02-28;F-2019/8`,
      `400;${supplier};;300,25;;ALB-3`,
      '572;;5000;;;',
      '100;;;6010,25;;',
    ].join('\n');
    const trial = await send(csv, '&dry_run=true');
    // 1,210.50 + 100 + 5,000 = 300.25 + 6,010.25 = 6,310.50.
    assert.deepEqual(trial.body.data, { entry_id: null, lines: 5, total: 6310.5, open_items: 3 });
    assert.deepEqual(await till.read('/api/open-items'), []);
    const { body } = await send(csv);
    assert.deepEqual({ ...body.data, entry_id: null }, trial.body.data, JSON.stringify(body));
    const items: Record<string, unknown>[] = await till.read('/api/open-items?sort=code');
    assert.deepEqual(
      items.map(({ code, direction, due_date, outstanding }) => [code, direction, due_date, outstanding]),
      [
        ['ALB-3', 'out', `${YEAR}-01-01`, 300.25],
        ['F-2019/7', 'in', `${YEAR - 1}-12-31`, 1210.5],
        ['F-2019/8', 'in', `${YEAR}-02-28`, 100],
      ],
    );
    assert.equal(await books.balance('572'), 5000);
  });

  it('can contain customer debts only, with the difference on another account', async () => {
    const rows = Array.from({ length: 1500 }, (_, at) => `430,${at + 1},OLD-${at + 1}`);
    const csv = ['account,debit,reference', ...rows].join('\n');
    const without = await send(csv, '&balance_account=129');
    // A reference is that of an open item, so it needs the partner.
    assert.equal(without.body.errors[0].code, 'not_allowed');
    const customer = await partnerCode(till.customerId);
    const full = ['account,partner,debit,reference', ...rows.map((row) => row.replace(',', `,${customer},`))].join(
      '\n',
    );
    const { status, body } = await send(full, '&balance_account=129');
    // 1 + 2 + … + 1,500 = 1,125,750.
    assert.equal(status, 200, JSON.stringify(body).slice(0, 400));
    assert.deepEqual(
      { ...body.data, entry_id: null },
      { entry_id: null, lines: 1501, total: 1_125_750, open_items: 1500 },
    );
    assert.equal(await books.balance('129'), -1_125_750);
  });

  it('are rejected as a whole, with the line of each fault', async () => {
    const customer = await partnerCode(till.customerId);
    const faults = async (...lines: string[]) => {
      const { status, body } = await send(['account,partner,debit,credit,dueDate', ...lines].join('\n'));
      assert.equal(status, 422, JSON.stringify(body));
      const rows: { line: number; column: string; code: string }[] = body.errors;
      return rows.map(({ line, column, code }) => `${line} ${column} ${code}`);
    };
    assert.deepEqual(await faults('43099,,1,,', '572,nobody,,1,'), [
      '2 account invalid_reference',
      '3 partner invalid_reference',
    ]);
    assert.deepEqual(await faults(`430,${customer},x,,31-31-31`), ['2 debit invalid_type', '2 dueDate invalid_format']);
    assert.deepEqual(await faults(`430,${customer},1,1,`, '572,,,1,'), ['2 credit both_sides']);
    assert.equal((await send('account,nonsense\n430,1')).status, 422);
    assert.equal((await send('')).status, 422);
    const { body } = await send(`account,partner,debit,credit\n430,${customer},10,\n572,,,9`);
    assert.deepEqual([body.status, body.errors[0].code], [422, 'unbalanced']);
    assert.equal(
      (await send('account,debit,credit\n572,1,\n100,,1', '&balance_account=none')).body.errors[0].pointer,
      '/balance_account',
    );
    assert.deepEqual(await till.read('/api/open-items'), []);
  });
});
