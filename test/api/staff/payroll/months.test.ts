/** Months of payrolls: generated, looked at, posted; who leaves and who is left out. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { IBAN } from '../../../helpers/bank-files.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const JANUARY = { year: 2026, month: 1 };

describe('a month of payrolls', () => {
  const app = useApp({}, { each: true });
  const month = () => listPayrolls(app, 'year=2026&month=1&status[ne]=X');
  const first = async () => {
    const [payroll] = await month();
    assert.ok(payroll);
    return payroll;
  };

  it('is generated, reviewed and then posted as a whole, each payroll once', async () => {
    for (const name of ['Ana', 'Berta', 'Carla']) await hire(app, { name });
    assert.deepEqual(await generate(app, JANUARY), {
      ...JANUARY,
      made: 3,
      kept: 0,
      posted: 0,
      left_out: 0,
      skipped: [],
    });
    await app.client.patch(`/api/payrolls/${(await first()).id}`, { irpfRate: 20 });
    await hire(app, { name: 'Dora' });
    const posting = await generate(app, { ...JANUARY, post: true });
    assert.deepEqual([posting.made, posting.kept, posting.posted], [1, 3, 4]);
    const again = await generate(app, { ...JANUARY, post: true });
    assert.deepEqual([again.made, again.kept, again.posted], [0, 4, 0]);
    const all = await month();
    assert.deepEqual(
      all.map(({ status, irpf }) => [status, irpf]),
      [
        ['O', 340],
        ['O', 204],
        ['O', 204],
        ['O', 204],
      ],
    );
    const { body: items } = await app.client.get('/api/open-items?sort=total');
    assert.deepEqual(
      items.data.map((item: Record<string, unknown>) => [item.partner_name, item.code, item.outstanding]),
      [1231.09, 1367.09, 1367.09, 1367.09].map((net) => ['Personal', 'Nómina 2026-01', net]),
    );
  });

  /** Sources of the entries of a type, by number. */
  const sources = async (type: string): Promise<string[]> => {
    const { data } = (await app.client.get(`/api/journal-entries?sourceType=${type}&sort=number`)).body;
    return data.map(({ sourceId }: { sourceId: string }) => sourceId);
  };

  it('has entries, payments and transfers in an order that does not reveal the employees', async () => {
    await app.client.post('/api/config/bank-accounts', { name: 'Main', iban: IBAN });
    const net = new Map<string, number>();
    for (let index = 0; index < 12; index++)
      await hire(app, { name: `Employee ${index}`, iban: IBAN, grossAnnualSalary: 20_000 + index * 1000 });
    await generate(app, { ...JANUARY, post: true });
    const payrolls = await month();
    for (const payroll of payrolls) net.set(payroll.id, payroll.net);
    const byCode = [...net.values()];
    assert.deepEqual(
      byCode,
      [...byCode].sort((a, b) => a - b),
    );
    const ids = [...net.keys()];
    const date = '2026-12-01';
    const { body: paid } = await app.client.post('/api/payrolls/pay', { ids, date });
    assert.deepEqual(
      paid.data.map(({ payrollId, amount }: Record<string, unknown>) => [payrollId, amount]),
      [...net],
    );
    const { body: order } = await app.client.post('/api/payrolls/sepa', { ids, date });
    // The numbers follow the payrolls' random ids, whatever the order of the request.
    const payrollsPaid = new Map<string, string>(
      paid.data.map(({ paymentId, payrollId }: Record<string, string>) => [paymentId, payrollId]),
    );
    const paymentEntries = await sources('payment');
    assert.deepEqual(
      paymentEntries.map((id) => payrollsPaid.get(id)),
      [...ids].sort(),
    );
    const entries = await sources('payroll');
    const { data: payments } = (await app.client.get('/api/payments/out?sort=created_at')).body;
    const orders = {
      entries: entries.map((id) => net.get(id)),
      payments: payments.map(({ amount }: { amount: number }) => amount),
      transfers: order.data.items.map(({ amount }: { amount: number }) => amount),
    };
    for (const [name, found] of Object.entries(orders)) assertReordered(found, byCode, name);
  });

  it('is exported with its figures, without the lines as JSON text', async () => {
    await hire(app);
    await generate(app, JANUARY);
    const { body } = await app.client.get('/api/payrolls?format=csv');
    assert.match(body, /Total devengado.*Líquido/);
    assert.ok(!/Líneas|description/.test(body), body);
  });

  it('includes the pay items that are in force on any of its days', async () => {
    const { id } = await hire(app);
    const items: readonly (readonly [amount: number, from: string, to: string | null])[] = [
      [1, '2025-12-01', '2025-12-31'],
      [2, '2025-12-01', '2026-01-01'],
      [4, '2026-01-01', '2026-01-15'],
      [8, '2026-01-31', null],
      [16, '2026-02-01', null],
      [32, '2024-03-01', null],
    ];
    for (const [amount, from, to] of items) {
      const item = { description: `Plus ${amount}`, kind: 'earning', amount, from, to };
      assert.equal((await app.client.post(`/api/employees/${id}/pay-items`, item)).status, 201);
    }
    await generate(app, JANUARY);
    const amounts = (await first()).lines.slice(1).map(({ amount }) => amount);
    assert.deepEqual(
      [...amounts].sort((a, b) => a - b),
      [2, 4, 8, 32],
    );
  });

  it('pays employees who leave in it, even if inactive by now, and nobody who left before', async () => {
    const leaver = await hire(app, { name: 'Leaves', endDate: '2026-01-15' });
    await app.client.patch(`/api/employees/${leaver.id}`, { active: false });
    const dormant = await hire(app, { name: 'Inactive' });
    await app.client.patch(`/api/employees/${dormant.id}`, { active: false });
    await hire(app, { name: 'Left', endDate: '2025-12-31' });
    assert.equal((await generate(app, JANUARY)).made, 1);
    const payroll = await first();
    assert.deepEqual([payroll.employeeId, payroll.days, payroll.lines.length], [leaver.id, 15, 2]);
  });

  it('pays who began on its last day or left on its first, and nobody before or after', async () => {
    const began = await hire(app, { name: 'Began', hireDate: '2026-01-31' });
    const left = await hire(app, { name: 'Left', endDate: '2026-01-01' });
    await hire(app, { name: 'Begins later', hireDate: '2026-02-01' });
    assert.equal((await generate(app, JANUARY)).made, 2);
    const days = (await month()).map((payroll) => [payroll.employeeId, payroll.days]);
    assert.deepEqual(days, [
      [began.id, 1],
      [left.id, 1],
    ]);
  });

  it('skips employees who cannot be paid by rules, with a reason', async () => {
    const apprentice = await hire(app, { name: 'Apprentice', contractType: 'training' });
    const away = await hire(app, { name: 'Away' });
    const leave = { employeeId: away.id, type: 'unpaid', from: '2026-01-01', to: '2026-01-31' };
    assert.equal((await app.client.post('/api/absences', leave)).status, 201);
    const poor = await hire(app, { name: 'In debt' });
    const debt = { description: 'Anticipo', kind: 'deduction', amount: 5000, from: '2026-01-01' };
    assert.equal((await app.client.post(`/api/employees/${poor.id}/pay-items`, debt)).status, 201);
    const free = await hire(app, { name: 'For nothing', grossAnnualSalary: 0, workingHours: 0.0001 });
    const done = await generate(app, { ...JANUARY, post: true });
    assert.deepEqual([done.made, done.posted, done.left_out], [0, 0, 4]);
    assert.deepEqual(Object.fromEntries(done.skipped.map(({ code, reason }) => [code, reason])), {
      [apprentice.code]: 'training',
      [away.code]: 'no_days',
      [poor.code]: 'net_below_zero',
      [free.code]: 'nothing_earned',
    });
  });

  it('is cancelled payroll by payroll, unless one is paid', async () => {
    await hire(app);
    await generate(app, { ...JANUARY, post: true });
    const payroll = await first();
    const cancel = (date: string) => app.client.post(`/api/payrolls/${payroll.id}/cancel`, { date });
    const [item] = (await app.client.get('/api/open-items')).body.data;
    const paid = await app.client.post('/api/payments/out', {
      partner_id: item.partner_id,
      amount: 100,
      payment_date: '2026-02-01',
      payment_method: 'transfer',
      linked_documents: [{ document_type: 'open_item', document_id: item.id }],
    });
    assert.equal(paid.status, 201, JSON.stringify(paid.body));
    assertProblem(await cancel('2026-02-01'), 409, 'in_use');
    assert.equal((await app.client.del(`/api/payments/out/${paid.body.data.id}`)).status, 204);
    assert.equal((await cancel('2026-01-30')).body.errors?.[0]?.code, 'out_of_range');
    assert.equal((await cancel('2026-01-31')).status, 200);
    const [closed] = (await app.client.get('/api/open-items')).body.data;
    assert.equal(closed.outstanding, 0);
    assert.deepEqual(await month(), []);
  });

  it('rejects lines without earnings, with a negative kind, or above the maximum', async () => {
    await hire(app);
    await generate(app, JANUARY);
    const payroll = await first();
    const line = (kind: string, amount: number) => ({ description: 'Corrected', kind, amount });
    const refused: [object[], string][] = [
      [[line('deduction', -500)], 'nothing_earned'],
      [[line('earning', 1700), line('extra_pay', 1700), line('overtime', -2000)], 'kind_below_zero'],
      [[line('earning', 1700), line('in_kind', 100), line('in_kind', -100.01)], 'kind_below_zero'],
    ];
    for (const [lines, code] of refused) {
      const answer = await app.client.patch(`/api/payrolls/${payroll.id}`, { lines });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], ['/lines', code]);
    }
    const lines = [line('earning', 1700), line('overtime', 100), line('overtime', -100)];
    assert.equal((await app.client.patch(`/api/payrolls/${payroll.id}`, { lines })).body.data.gross, 1700);
    const most = 1_000_000_000;
    const beyond = await app.client.patch(`/api/payrolls/${payroll.id}`, { lines: [line('earning', most + 0.01)] });
    assert.equal(beyond.body.errors[0].pointer, '/lines/0/amount', JSON.stringify(beyond.body));
    const all = Array.from({ length: 100 }, () => line('earning', most));
    assert.equal((await app.client.patch(`/api/payrolls/${payroll.id}`, { lines: all })).status, 200);
    assert.equal((await app.client.post(`/api/payrolls/${payroll.id}/post`)).status, 200);
  });

  it('takes half a day of unpaid leave as half', async () => {
    const { id } = await hire(app, { grossAnnualSalary: 36000, payments: 12 });
    const leave = { employeeId: id, type: 'unpaid', from: '2026-01-12', to: '2026-01-13', days: 1.5 };
    // A request that nobody has approved takes nothing.
    const asked = { ...leave, from: '2026-01-19', to: '2026-01-23', days: 5, status: 'requested' };
    assert.equal((await app.client.post('/api/absences', asked)).status, 201);
    assert.equal((await app.client.post('/api/absences', leave)).status, 201);
    await generate(app, JANUARY);
    const payroll = await first();
    // 3,000 less 1.5 of 30 days.
    assert.deepEqual([payroll.days, payroll.gross], [28.5, 2850]);
    // A change of its lines goes on from the same days.
    const { body } = await app.client.patch(`/api/payrolls/${payroll.id}`, { irpfRate: 20 });
    assert.deepEqual([body.data.days, body.data.bases.common], [28.5, payroll.bases.common]);
    const slip = (await app.client.get(`/api/reports/payslip?payroll_id=${payroll.id}`)).body;
    assert.equal(slip.data.days, 28.5);
  });
});

/** Asserts that numbers are the same as sorted ones, in another order, and not in the opposite one. */
function assertReordered(found: readonly number[], sorted: readonly number[], name: string): void {
  assert.deepEqual(
    found.toSorted((one, other) => one - other),
    sorted,
    name,
  );
  assert.notDeepEqual(found, sorted, name);
  assert.notDeepEqual(found.toReversed(), sorted, name);
}
