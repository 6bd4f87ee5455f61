/** Months of payrolls: generated, looked at, posted; who leaves and who is left out. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { useApp } from '../../helpers/hooks.ts';
import { generate, hire, payrollsOf } from '../../helpers/payrolls.ts';
import { assertProblem } from '../../helpers/problem.ts';

const JANUARY = { year: 2026, month: 1 };

describe('a month of payrolls', () => {
  const app = useApp({}, { each: true });
  const month = () => payrollsOf(app, 'year=2026&month=1&status[ne]=X');
  const first = async () => {
    const [payroll] = await month();
    assert.ok(payroll);
    return payroll;
  };

  it('is generated, looked at and then posted as a whole, each payroll once', async () => {
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

  it('pays who leaves in it, though they are inactive by now, and nobody who left before', async () => {
    const leaver = await hire(app, { name: 'Leaves', endDate: '2026-01-15' });
    await app.client.patch(`/api/employees/${leaver.id}`, { active: false });
    const dormant = await hire(app, { name: 'Inactive' });
    await app.client.patch(`/api/employees/${dormant.id}`, { active: false });
    await hire(app, { name: 'Left', endDate: '2025-12-31' });
    assert.equal((await generate(app, JANUARY)).made, 1);
    const payroll = await first();
    assert.deepEqual([payroll.employeeId, payroll.days, payroll.lines.length], [leaver.id, 15, 2]);
  });

  it('leaves out who cannot be paid by rules, and says why', async () => {
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

  it('is taken back payroll by payroll, unless one is paid', async () => {
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

  it('refuses lines that earn nothing', async () => {
    await hire(app);
    await generate(app, JANUARY);
    const payroll = await first();
    const lines = [{ description: 'Devuelto', kind: 'deduction', amount: -500 }];
    const answer = await app.client.patch(`/api/payrolls/${payroll.id}`, { lines });
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], ['/lines', 'nothing_earned']);
  });
});
