/** Pitfalls for integrators: type names, blanks, filters, and documents that a role may not see. */
import assert from 'node:assert/strict';
import { ROLES, type Role } from '../../../../domain/permissions.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from './trade.ts';

const PASSWORD = 'correct horse battery';

describe('documents as integrators meet them', () => {
  const app = useApp();
  const trade = use(() => openTrade(app));

  const line = (more: object = {}) => ({ itemId: trade.itemId, quantity: 2, ...more });
  const order = (more: object = {}) =>
    app.client.post('/api/sales', { partnerId: trade.customerId, lines: [line()], ...more });
  let members = 0;
  async function member(role: Role): Promise<TestClient> {
    const email = `${role}-${++members}@example.test`;
    const { status } = await app.client.post('/api/users', { email, name: role, password: PASSWORD, role });
    assert.equal(status, 201);
    return app.as((await app.anonymous.post('/api/auth/login', { email, password: PASSWORD })).body.token);
  }

  it('takes types of documents by name or by code', async () => {
    const base = (await order()).body.data;
    for (const baseType of ['sales_order', 'SO']) {
      const note = await app.client.post('/api/sales/delivery-notes', {
        partnerId: trade.customerId,
        lines: [line({ quantity: 1, baseType, baseId: base.id })],
      });
      assert.equal(note.status, 201, JSON.stringify(note.body));
      assert.equal(note.body.data.lines[0].baseType, 'SO');
    }
    const wrong = await app.client.post('/api/sales/delivery-notes', {
      partnerId: trade.customerId,
      lines: [line({ baseType: 'purchase_order', baseId: base.id })],
    });
    assertProblem(wrong, 422, 'validation_failed');
    const series = await app.client.post('/api/series', { docType: 'sales_invoice', prefix: 'WEB' });
    assert.deepEqual([series.status, series.body.data.docType], [201, 'SINV']);
    for (const docType of ['sales_invoice', 'SINV']) {
      const found = await app.client.get(`/api/series?docType=${docType}&prefix=WEB`);
      assert.equal(found.body.pagination.total, 1, docType);
    }
    const codes = await app.client.get('/api/stock/movements?docType=SDN');
    const names = await app.client.get('/api/stock/movements?docType[in]=sales_delivery_note');
    assert.equal(codes.body.pagination.total, 2);
    assert.deepEqual(names.body, codes.body);
    assertProblem(await app.client.get('/api/stock/movements?docType=nonsense'), 400, 'invalid_parameter');
  });

  it('takes no blanks for a text, and none around a reference', async () => {
    for (const [member, body] of [
      ['/reference', { reference: ' \t ' }],
      ['/notes', { notes: ' \n ' }],
      ['/billingAddress/name', { billingAddress: { name: ' ' } }],
      ['/lines/0/description', { lines: [line({ description: '  ' })] }],
    ] as const) {
      const answer = await order(body);
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        answer.body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
        [[member, 'too_short']],
      );
    }
    assert.equal((await order({ reference: '  PO 17 ' })).body.data.reference, 'PO 17');
  });

  it('finds documents by all that their heads show', async () => {
    const marked = (await order({ reference: 'filters', notes: 'by hand' })).body.data;
    const filters = [
      `id=${marked.id}`,
      `partnerCode=${marked.partner.code}`,
      `partnerNif[empty]=true`,
      'notes[contains]=HAND',
      'projectId[empty]=true',
      'costCenterId[empty]=true',
      'currency=EUR',
      `taxTotal=${marked.taxTotal}`,
      'discountTotal=0',
      'withholdingAmount=0',
      'paidTotal=0',
      'cancelledAt[empty]=true',
      'sentAt[empty]=true',
    ];
    for (const filter of filters) {
      const found = await app.client.get(`/api/sales?reference=filters&${filter}`);
      assert.deepEqual(
        { filter, status: found.status, total: found.body.pagination?.total },
        { filter, status: 200, total: 1 },
      );
    }
    assert.equal((await app.client.get('/api/sales?reference=filters&cancelledAt[empty]=false')).body.data.length, 0);
    assert.ok((await app.client.get(`/api/sales?q=${marked.partner.code}`)).body.pagination.total > 0, 'code');
    const sorted = await app.client.get('/api/sales?sort=-taxTotal,partnerCode,cancelledAt');
    assert.equal(sorted.status, 200);
  });

  /** An order, its note and the invoice of that, and where they are shown together. */
  async function orderToInvoice() {
    const base = (await order()).body.data;
    const note = (await app.client.post(`/api/sales/${base.id}/deliver`, {})).body.data;
    const invoice = (await app.client.post(`/api/sales/delivery-notes/${note.id}/invoice`, {})).body.data;
    return { base, note, invoice, flow: `/api/sales/delivery-notes/${note.id}/flow` };
  }

  it('shows in a flow only documents that the role may read', async () => {
    const { base, note, invoice, flow } = await orderToInvoice();
    const all = (await app.client.get(flow)).body.data;
    assert.deepEqual(
      all.nodes.map(({ id }: { id: string }) => id),
      [base.id, note.id, invoice.id],
    );
    const packer = await member('warehouse');
    assertProblem(await packer.get(`/api/sales/invoices/${invoice.id}`), 403, 'forbidden');
    const { status, body } = await packer.get(flow);
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.nodes.map(({ id }: { id: string }) => id),
      [base.id, note.id],
    );
    assert.deepEqual(body.data.links, [{ from: base.id, to: note.id, relation: 'delivers' }]);
    assert.equal(body.data.truncated, false);
  });

  it('shows payments and entries in a flow to who may read them', async () => {
    const { invoice, flow } = await orderToInvoice();
    assert.equal((await app.client.post(`/api/sales/invoices/${invoice.id}/post`)).status, 200);
    const paid = await app.client.post('/api/payments/in', {
      partner_id: invoice.partnerId,
      amount: invoice.total,
      payment_date: invoice.date,
      payment_method: 'transfer',
      linked_documents: [{ document_type: 'sales_invoice', document_id: invoice.id, amount_applied: invoice.total }],
    });
    assert.equal(paid.status, 201, JSON.stringify(paid.body));
    const { payments, entries } = (await app.client.get(flow)).body.data;
    assert.deepEqual(
      payments.map(({ id, type, amount, documentIds }: Record<string, unknown>) => ({ id, type, amount, documentIds })),
      [{ id: paid.body.data.id, type: 'payment_in', amount: invoice.total, documentIds: [invoice.id] }],
    );
    assert.deepEqual(
      entries.map(({ sourceId, total }: Record<string, unknown>) => [sourceId, total]),
      [
        [invoice.id, invoice.total],
        [paid.body.data.id, invoice.total],
      ],
    );
    const packer = await member('warehouse');
    const unseen = (await packer.get(flow)).body.data;
    assert.deepEqual([unseen.payments, unseen.entries], [[], []]);
  });

  it('undoes once what is undone by several at the same moment', async () => {
    const undo = [(path: string) => app.client.post(`${path}/cancel`), (path: string) => app.client.del(path)];
    for (const posted of [false, true]) {
      for (const [index, act] of undo.entries()) {
        if (posted && index === 1) continue; // only drafts are deleted
        for (let round = 0; round < 4; round++) {
          const note = (
            await app.client.post('/api/sales/delivery-notes', {
              partnerId: trade.customerId,
              lines: [line({ quantity: 1 })],
            })
          ).body.data;
          const notePath = `/api/sales/delivery-notes/${note.id}`;
          const invoice = (await app.client.post(`${notePath}/invoice`, {})).body.data;
          const path = `/api/sales/invoices/${invoice.id}`;
          if (posted) assert.equal((await app.client.post(`${path}/post`)).status, 200);
          const answers = await Promise.all([1, 2, 3, 4].map(() => act(path)));
          const statuses = answers.map(({ status }) => status).sort();
          assert.deepEqual(statuses, index === 0 ? [200, 409, 409, 409] : [204, 404, 404, 404]);
          const { status, lines } = (await app.client.get(notePath)).body.data;
          assert.deepEqual(
            { status, invoicedQuantity: lines[0].invoicedQuantity, openQuantity: lines[0].openQuantity },
            { status: 'O', invoicedQuantity: 0, openQuantity: 1 },
          );
        }
      }
    }
    await assertSound(app.databaseUrl);
  });

  it('gives human resources nothing to trade with', async () => {
    const hr = await member('hr');
    for (const path of ['items', 'pricelists', 'periods', 'accounts', 'partners', 'stock', 'sales']) {
      assertProblem(await hr.get(`/api/${path}`), 403, 'forbidden');
    }
    assert.equal((await hr.get('/api/company')).status, 200);
    for (const permission of ['people:update', 'payroll:create', 'reports:people'] as const) {
      assert.ok(ROLES.hr.permissions.has(permission), permission);
    }
  });
});
