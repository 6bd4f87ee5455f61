import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Reminders of overdue invoices (decision 0316). */
describe('reminders of overdue invoices', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const make = (path: string, body: Body) => books.make<Answer['body']>(path, body);
  const customer = async (name: string, more: Body = {}) => {
    const { groupId } = (await app.client.get(`/api/partners/${till.customerId}`)).body.data;
    return (await make('/api/partners', { name, groupId, email: `${name.toLowerCase()}@example.com`, ...more }))
      .id as string;
  };
  const invoiced = async (partnerId: string, price: number, daysOverdue: number) => {
    const date = daysFromToday(-daysOverdue);
    const lines = [{ description: 'Servicio', quantity: 1, price }];
    const invoice = await make('/api/sales/invoices', { partnerId, date, dueDate: date, lines });
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    return invoice.id as string;
  };
  const proposed = async () =>
    (await app.client.get('/api/dunnings/proposals')).body.data.map(
      (one: Answer['body']) => one.partnerName,
    ) as string[];
  const remind = async (body: Body = {}) => {
    const answer = await app.client.post('/api/dunnings', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as Answer['body'][];
  };

  /** As if the customer's reminders had been made some days ago. */
  const asIfDaysAgo = (partnerId: string, days: number) =>
    app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw('update documents set dunned_on = ? where partner_id = ? and dunned_on is not null', [
        daysFromToday(-days),
        partnerId,
      ]),
    );

  it('claim nothing that was paid on account', async () => {
    const level = await make('/api/dunning-levels', { level: 1, name: 'First', days: 5 });
    const paid = await customer('Paid');
    await invoiced(paid, 100, 30);
    const pay = (amount: number) => {
      const how = { payment_date: daysFromToday(0), payment_method: 'transfer' };
      return make('/api/payments/in', { partner_id: paid, amount, ...how });
    };
    await pay(21);
    const { data } = (await app.client.get('/api/dunnings/proposals')).body;
    assert.deepEqual([data.length, data[0].outstanding], [1, 100]);
    await pay(100);
    assert.deepEqual(await proposed(), []);
    await app.client.del(`/api/dunning-levels/${level.id}`);
  });

  it('have templates that can be filled in', async () => {
    const level = { level: 900, name: 'Last', days: 3000 };
    for (const [member, template] of [
      ['body', 'Dear {% if %}'],
      ['subject', '{{ partner.nam }}'],
      ['body', '{{ total | monye }}'],
    ] as const) {
      const answer = await app.client.post('/api/dunning-levels', { ...level, [member]: template });
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, `/${member}`);
    }
  });

  it('go up with the days, once each, by mail, with fee and interest', async () => {
    await make('/api/dunning-levels', { level: 1, name: 'Recordatorio', days: 5 });
    await make('/api/dunning-levels', {
      level: 2,
      name: 'Segundo aviso',
      days: 20,
      fee: 6,
      interestPercent: 10,
      subject: 'Aviso {{ level.number }}',
      body: '{{ partner.name }}: {{ total | money }}{% if fee > 0 %} con gastos{% endif %}',
    });
    const [ana, late] = [await customer('Ana'), await customer('Late', { email: null })];
    await invoiced(ana, 1000, 30);
    await invoiced(ana, 100, 2);
    await invoiced(late, 50, 10);
    assert.deepEqual((await proposed()).sort(), ['Ana', 'Late']);
    const [first, ...others] = (await remind({ partnerIds: [ana] })) as [Answer['body'], ...Answer['body'][]];
    assert.equal(others.length, 0);
    assert.deepEqual([first.level, first.outstanding, first.interest, first.fee], [1, 1331, 0, 0]);
    assert.deepEqual(
      first.lines.map(({ level, days }: Answer['body']) => [level, days]),
      [
        [1, 30],
        [0, 2],
      ],
    );
    const mail = (await app.client.get(`/api/emails/${first.emailId}`)).body.data;
    assert.match(mail.subject, /^Recordatorio – /);
    assert.deepEqual(await remind({ partnerIds: [ana] }), [], 'the next level is 15 days later');
    await asIfDaysAgo(ana, 15);
    const [second] = (await remind({ partnerIds: [ana] })) as [Answer['body']];
    // 1,210.00 × 10 % × 30 ÷ 365 = 9.95, and 121.00 × 10 % × 2 ÷ 365 = 0.07.
    assert.deepEqual([second.level, second.interest, second.fee, second.total], [2, 10.02, 6, 1347.02]);
    assert.equal((await app.client.get(`/api/emails/${second.emailId}`)).body.data.subject, 'Aviso 2');
    const [letter] = (await remind()) as [Answer['body']];
    assert.deepEqual([letter.partnerId, letter.emailId], [late, null]);
    assert.equal((await app.client.get(`/api/dunnings?partnerId=${ana}`)).body.data.length, 2);
    assert.equal((await app.client.get(`/api/dunnings/${first.id}`)).body.data.code, first.code);
  });

  it('leave out what is paused, paid or not due', async () => {
    const [eva, luis] = [await customer('Eva'), await customer('Luis', { dunningPaused: true })];
    const paused = await invoiced(eva, 10, 40);
    await invoiced(luis, 10, 40);
    const patched = await app.client.patch(`/api/sales/invoices/${paused}`, { dunningPaused: true });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.deepEqual(await proposed(), []);
    await app.client.patch(`/api/sales/invoices/${paused}`, { dunningPaused: false });
    await app.client.patch(`/api/partners/${luis}`, { dunningPaused: false });
    assert.deepEqual((await proposed()).sort(), ['Eva', 'Luis']);
    const answers = await Promise.all([1, 2, 3].map(() => remind()));
    assert.equal(answers.flat().length, 2, 'two customers reach a level, each once');
  });

  it('are sent by a schedule', async () => {
    const sara = await customer('Sara');
    await invoiced(sara, 10, 7);
    const plan = { name: 'Avisos', document_type: 'dunning', interval: { unit: 'week' }, template: {} };
    const recurring = await make('/api/recurring', plan);
    const run = await app.client.post(`/api/recurring/${recurring.id}/run`);
    assert.equal(run.status, 201, JSON.stringify(run.body));
    assert.equal((await app.client.get(`/api/dunnings?partnerId=${sara}`)).body.data[0].level, 1);
  });

  it('say what is wrong', async () => {
    const level = { level: 1, name: 'X', days: 1 };
    assertProblem(await app.client.post('/api/dunning-levels', level), 409, 'duplicate');
    const none = await app.client.post('/api/dunning-levels', { level: 0, name: 'X', days: 0 });
    assertProblem(none, 422, 'validation_failed');
    assertProblem(await app.client.get(`/api/dunnings/${till.customerId}`), 404, 'not_found');
  });
});
