import assert from 'node:assert/strict';
import { findTriggeredRules } from '../../../../services/integrations/automations/interest.ts';
import { findMatches } from '../../../../services/integrations/automations/match.ts';
import { link, openTill } from '../../../api/trade/payments/till.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';

describe('conditions of rules', () => {
  const app = useApp();
  const till = use(() => openTill(app));

  const posted = async (path: string, body: object) => {
    const { status, body: answer } = await app.client.post(path, body);
    assert.ok(status < 300, `POST ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data as { id: string };
  };
  const make = async (trigger: object, ...conditions: object[]) => {
    const actions = [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }];
    return (await posted('/api/automations', { name: 'Rule', trigger, conditions, actions })).id;
  };
  const order = () =>
    posted('/api/sales', {
      partnerId: till.customerId,
      lines: [{ description: 'Transporte', quantity: 1, price: 10 }],
    });
  /** Names of the events of a document for which a rule would run, in order. */
  const runsFor = async (ruleId: string, documentId: string): Promise<string[]> =>
    (await allMatches())
      .filter(({ automation, cause }) => automation.id === ruleId && cause.documentId === documentId)
      .map(({ cause }) => String(cause.event.name));
  /** The rules that would run for all events so far. */
  const allMatches = async () => {
    const events = await app.database.readTenant(app, async (db) =>
      (await db('outbox').select(['id', 'tenant_id', 'event']).orderBy('seq')).map(
        ({ id, tenant_id: tenantId, event }: { id: string; tenant_id: string; event: string }) => ({
          id,
          tenantId,
          event,
        }),
      ),
    );
    const triggering = await app.database.withSystem((trx) => findTriggeredRules(trx, events));
    return await app.database.readTenant(app, (db) => findMatches(db as never, triggering, NOW));
  };

  it('see the document as the event left it, however quickly it changes again', async () => {
    const trigger = { type: 'document.updated', document_type: 'sales_order' };
    const both = await make(trigger, { field: 'document.notes', operator: 'equals', value: 'Second' });
    const first = await make(trigger, { field: 'document.reference', operator: 'equals', value: 'First' });
    const { id } = await order();
    await app.client.patch(`/api/sales/${id}`, { reference: 'First', notes: 'First' });
    await app.client.patch(`/api/sales/${id}`, { reference: 'Second', notes: 'Second' });
    await app.client.patch(`/api/sales/${id}`, { tags: ['later'], notes: 'Third' });
    assert.deepEqual([(await runsFor(both, id)).length, (await runsFor(first, id)).length], [1, 1]);
  });

  it('see payments to suppliers, and items that fall below their minimum', async () => {
    const paid = await make({ type: 'payment.made' }, { field: 'payment.partner.name', operator: 'not_empty' });
    const { body: changed } = await app.client.patch(`/api/items/${till.itemId}`, { minStock: 98 });
    const named = { field: 'item.code', operator: 'equals', value: changed.data.code };
    const low = await make({ type: 'stock.low' }, named, { field: 'event.stock', operator: 'equals', value: 97 });
    const bill = await till.invoice('purchases', 100);
    const { body } = await till.pay('out', 100, { linked_documents: [link(bill.id, 100, 'purchase_invoice')] });
    await till.paid(50, []);
    const count = (countedQuantity: number) =>
      posted('/api/stock/adjustments', {
        warehouseId: till.warehouseId,
        lines: [{ itemId: till.itemId, countedQuantity }],
      });
    for (const counted of [98, 97, 96]) await count(counted);
    const causes = async (rule: string) =>
      (await allMatches()).filter(({ automation }) => automation.id === rule).map(({ cause }) => cause);
    assert.deepEqual(
      (await causes(paid)).map(({ paymentId, documentId }) => [paymentId, documentId]),
      [[body.data.id, bill.id]],
    );
    assert.deepEqual(
      (await causes(low)).map(({ itemId, event }) => [itemId, event.name, event.stock, event.min_stock]),
      [[till.itemId, 'stock.low', 97, 98]],
    );
  });

  it('run a rule whose group holds, and no other', async () => {
    const trigger = { type: 'document.created', document_type: 'sales_order' };
    const total = (operator: string, value: unknown) => ({ field: 'document.subtotal', operator, value });
    const rules: string[] = [];
    for (const conditions of [
      { any: [total('at_least', 11), { all: [total('between', [5, 10]), total('not_in', [9])] }] },
      { any: [total('at_least', 11), { all: [total('between', [5, 10]), total('not_in', [10])] }] },
    ]) {
      const actions = [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }];
      rules.push((await posted('/api/automations', { name: 'Group', trigger, conditions, actions })).id);
    }
    const { id } = await order();
    assert.deepEqual(await Promise.all(rules.map(async (rule) => (await runsFor(rule, id)).length)), [1, 0]);
  });

  it('see the document that a payment has paid, after the payment and before what follows', async () => {
    const rule = await make(
      { type: 'payment.received' },
      { field: 'document.payment_status', operator: 'equals', value: 'paid' },
      { field: 'payment.notes', operator: 'is_empty' },
    );
    const { id } = await posted('/api/sales/invoices', {
      partnerId: till.customerId,
      lines: [{ description: 'Transporte', quantity: 1, price: 10 }],
    });
    await posted(`/api/sales/invoices/${id}/post`, {});
    const payment = await posted('/api/payments/in', {
      partner_id: till.customerId,
      amount: 12.1,
      payment_date: '2026-06-15',
      payment_method: 'cash',
      linked_documents: [{ document_type: 'sales_invoice', document_id: id, amount_applied: 12.1 }],
    });
    await app.client.patch(`/api/payments/in/${payment.id}`, {
      notes: 'Less',
      linked_documents: [{ document_type: 'sales_invoice', document_id: id, amount_applied: 1 }],
    });
    assert.deepEqual(await runsFor(rule, id), ['payment.received']);
  });

  it('compare with days relative to the event, by the calendar of the company', async () => {
    const trigger = { type: 'document.created', document_type: 'sales_order' };
    const due = { field: 'document.date', operator: 'less_than', value: 'today+1' };
    const late = { field: 'document.date', operator: 'greater_than', value: 'today' };
    const [soon, later] = [await make(trigger, due), await make(trigger, late)];
    const { id } = await order();
    assert.deepEqual([(await runsFor(soon, id)).length, (await runsFor(later, id)).length], [1, 0]);
  });
});
