/** Rules by the clock that act on each record of a query: saved, checked, tried (decision 0199). */
import assert from 'node:assert/strict';
import { daysAfter } from '../../../../domain/days.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';

const PATH = '/api/automations';
const NOTICE = { type: 'notification.create', role: 'admin', title: 'Due', body: '{{event.scheduled_at}}' };
const OVERDUE = {
  resource: 'sales_invoices',
  filters: { 'dueDate[lte]': 'today-30', 'paymentStatus[in]': 'pending,partial', 'outstanding[gt]': 0 },
};

describe('records that rules by the clock act on', () => {
  const app = useApp({ clock: { now: new Date('2026-11-22T10:30:00Z') } });
  const till = use(() => openTill(app));

  const rule = (query: unknown, more: object = {}) => ({
    name: 'Each day at eight',
    trigger: { type: 'schedule.cron', expression: '0 8 * * *', query },
    actions: [NOTICE],
    ...more,
  });
  const trial = async (query: unknown, more: object = {}) => {
    const made = await app.client.post(PATH, rule(query, more));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.body.data.warnings, []);
    const { status, body } = await app.client.post(`${PATH}/${made.body.data.id}/test`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };

  it('are selected by the filters of their list, whose days may be relative', async () => {
    const due = (days: number) => ({ dueDate: daysAfter(till.today, -days), date: daysAfter(till.today, -days) });
    const [old, older] = [await till.invoice('sales', 10, due(30)), await till.invoice('sales', 900, due(40))];
    await till.invoice('sales', 20, due(29));
    const mail = {
      type: 'email.send',
      to: '{{document.partner.email}}',
      subject: '{{document.code}}',
      body_html: '{{document.dueDate}}',
      attach_pdf: true,
    };
    const all = await trial(OVERDUE, { actions: [mail] });
    assert.deepEqual([all.matched, all.records, all.document_id], [true, 2, old.id]);
    assert.equal(all.actions[0].rendered.subject, old.code);
    // Conditions look further than filters do.
    const conditions = [{ field: 'document.total', operator: 'greater_than', value: 500 }];
    const some = await trial({ ...OVERDUE, once: true }, { conditions });
    assert.deepEqual([some.matched, some.records, some.document_id], [true, 2, older.id]);
    const none = await trial({ ...OVERDUE, filters: { ...OVERDUE.filters, currency: 'USD' } });
    assert.deepEqual([none.matched, none.records, none.document_id], [false, 0, null]);
  });

  it('may be partners, items and payments', async () => {
    const title = (text: string) => ({ actions: [{ ...NOTICE, title: text }] });
    const partners = await trial(
      { resource: 'partners', filters: { 'createdAt[gte]': 'today' } },
      title('{{partner.name}}'),
    );
    assert.ok(partners.matched && partners.records > 0 && partners.actions[0].rendered.title !== '');
    const { body } = await app.client.post('/api/items', {
      name: 'Nearly gone',
      uomId: (await app.client.get('/api/uom')).body.data[0].id,
      minStock: 5,
    });
    const items = await trial(
      { resource: 'items', filters: { belowMinimum: true } },
      title('{{item.name}} {{item.minStock}}'),
    );
    assert.deepEqual([items.records, items.actions[0].rendered.title], [1, 'Nearly gone 5']);
    const listed = await app.client.get('/api/items?belowMinimum=true');
    assert.deepEqual(
      listed.body.data.map(({ id }: { id: string }) => id),
      [body.data.id],
    );
    await till.paid(35, []);
    const query = { resource: 'received_payments', filters: { payment_date: 'today', status: 'unlinked' } };
    const payments = await trial(query, title('{{payment.amount}}'));
    assert.deepEqual([payments.records, payments.actions[0].rendered.title], [1, '35']);
    assert.equal((await trial({ ...query, resource: 'made_payments' })).records, 0);
  });

  it('are refused where the list has no such filter, with a pointer to each', async () => {
    const faults = async (query: unknown, more: object = {}) => {
      const answer = await app.client.post(PATH, rule(query, more));
      assertProblem(answer, 422, 'validation_failed');
      return (answer.body.errors as { pointer: string; code: string }[]).map(
        ({ pointer, code }) => `${pointer} ${code}`,
      );
    };
    const filtered = (filters: object) => faults({ ...OVERDUE, filters });
    const at = '/trigger/query';
    assert.deepEqual(await faults({ resource: 'users' }), [`${at}/resource invalid_choice`]);
    assert.deepEqual(await faults({ ...OVERDUE, limit: 5 }), [`${at}/limit unknown_field`]);
    assert.deepEqual(
      await filtered({
        colour: 'red',
        'dueDate[lte]': 'someday',
        'dueDate[eq]': 'month-1',
        sort: 'date',
        'total[like]': 1,
      }),
      [
        `${at}/filters/colour invalid_parameter`,
        `${at}/filters/dueDate[lte] invalid_parameter`,
        `${at}/filters/dueDate[eq] invalid_parameter`,
        `${at}/filters/sort unknown_field`,
        `${at}/filters/total[like] invalid_parameter`,
      ],
    );
    assert.deepEqual(await filtered({ code: { a: 1 } }), [`${at}/filters/code invalid_type`]);
    const cancel = { actions: [{ type: 'document.cancel' }] };
    assert.deepEqual(await faults({ resource: 'partners' }, cancel), ['/actions/0/type not_applicable']);
  });
});
