/** Payslips by e-mail between their being queued and being delivered. */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPayrollActivities } from '../../../../activities/staff/payroll.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { sendMails } from '../../../helpers/mails.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';

const JANUARY = { year: 2026, month: 1 };

describe('a queued payslip', () => {
  const app = useApp({}, { each: true });

  async function mailPayslips(): Promise<{ queued: number; mailed_before: number; without_address: string[] }> {
    const { status, body } = await app.client.post('/api/payrolls/send-payslips', JANUARY);
    assert.equal(status, 202, JSON.stringify(body));
    const { mailPayslips } = createPayrollActivities({
      database: app.database,
      links: { keys: [], keepDays: 7 },
      now: () => app.clock.now,
    });
    await new MockActivityEnvironment().run(mailPayslips, { tenantId: app.tenantId, taskId: body.task_id });
    return (await app.client.get(`/api/tasks/${body.task_id}/result`)).body.data;
  }
  const outcome = async (to: string) => {
    const [mail] = (await app.client.get(`/api/emails?to=${to}`)).body.data;
    return [mail?.status, mail?.error];
  };

  it('goes to nobody once the address of its employee has changed, or its payroll is cancelled', async () => {
    const changed = await hire(app, { name: 'Ana', email: 'ana@example.test' });
    const cancelled = await hire(app, { name: 'Bea', email: 'bea@example.test' });
    await hire(app, { name: 'Carl', email: 'carl@example.test' });
    await hire(app, { name: 'Dora' });
    await generate(app, { ...JANUARY, post: true });
    assert.equal((await mailPayslips()).queued, 3);
    assert.equal((await app.client.patch(`/api/employees/${changed.id}`, { email: 'new@example.test' })).status, 200);
    const [payroll] = await listPayrolls(app, `employeeId=${cancelled.id}`);
    assert.equal((await app.client.post(`/api/payrolls/${payroll?.id}/cancel`, {})).status, 200);
    const sent = await sendMails(app);
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['carl@example.test'],
    );
    const reason = 'The payroll is cancelled, or the employee has another address';
    for (const to of ['ana@example.test', 'bea@example.test']) assert.deepEqual(await outcome(to), ['failed', reason]);
    assert.deepEqual(await outcome('new@example.test'), [undefined, undefined]);
  });

  it('has a link to the payslip of its own employee', async () => {
    for (const name of ['Ana', 'Bea']) await hire(app, { name, email: `${name.toLowerCase()}@example.test` });
    await generate(app, { ...JANUARY, post: true });
    await mailPayslips();
    const payrolls = new Map((await listPayrolls(app, 'year=2026')).map((one) => [one.employee.name, one.id]));
    const sent = await sendMails(app);
    assert.deepEqual(sent.map(({ to }) => to).sort(), ['ana@example.test', 'bea@example.test']);
    for (const { to, text } of sent) {
      const id = payrolls.get(to.startsWith('ana') ? 'Ana' : 'Bea');
      assert.ok(text.includes(String(id)), text);
    }
    assert.deepEqual(await mailPayslips(), { ...JANUARY, queued: 0, mailed_before: 2, without_address: [] });
  });
});
