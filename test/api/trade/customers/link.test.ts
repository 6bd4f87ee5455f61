import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** The page of a customer, and statements (decision 0314). */
describe('the link of a customer', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const make = (path: string, body: Body) => books.make<Answer['body']>(path, body);
  const invoiced = async (partnerId: string, price: number) => {
    const lines = [{ description: 'Servicio', quantity: 1, price }];
    const invoice = await make('/api/sales/invoices', { partnerId, lines });
    return (await app.client.post(`/api/sales/invoices/${invoice.id}/post`)).body.data;
  };
  const customer = async (name: string) => {
    const { groupId } = (await app.client.get(`/api/partners/${till.customerId}`)).body.data;
    return (await make('/api/partners', { name, groupId })).id as string;
  };
  const makeLink = async (partnerId: string, body: Body = {}) => {
    const answer = await app.client.post(`/api/partners/${partnerId}/link`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return (answer.body.data.url as string).replace(app.deps.config.appUrl, app.address);
  };
  const open = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const missing = async (url: string) => assert.equal((await open(url)).status, 404);

  it('shows what is open and was paid, escaped, with a code to pay', async () => {
    const partnerId = await customer('Ana <b>& hijos</b>');
    const bank = { name: 'Banco', iban: 'ES9121000418450200051332', is_default: true };
    assert.ok([201, 409].includes((await app.client.post('/api/config/bank-accounts', bank)).status));
    const [first, second] = [await invoiced(partnerId, 100), await invoiced(partnerId, 50)];
    await make('/api/payments/in', {
      partner_id: partnerId,
      amount: first.total,
      payment_date: first.date,
      payment_method: 'transfer',
      linked_documents: [{ document_id: first.id, document_type: 'sales_invoice' }],
    });
    const link = await makeLink(partnerId);
    const { status, text, headers } = await open(link);
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.ok(text.includes('Ana &lt;b&gt;&amp; hijos&lt;/b&gt;') && !text.includes('<b>&'));
    for (const part of [first.code, second.code, '60,50', '121,00', 'ES91 2100 0418', '<svg'])
      assert.ok(text.includes(part), part);
    assert.doesNotMatch(text, /<script/i);
    const shown = (await app.client.get(`/api/partners/${partnerId}/link`)).body.data;
    assert.notEqual(shown.lastOpenedAt, null);
  });

  it('counts what was paid and not applied yet, and asks for nothing that is paid', async () => {
    const partnerId = await customer('Berta');
    const invoice = await invoiced(partnerId, 100);
    const pay = (amount: number) =>
      make('/api/payments/in', {
        partner_id: partnerId,
        ...{ amount, payment_date: invoice.date, payment_method: 'transfer' },
      });
    await pay(100);
    const link = await makeLink(partnerId);
    const { text } = await open(link);
    for (const part of ['aún sin asignar', '100,00', '121,00', '<svg']) assert.ok(text.includes(part), part);
    await pay(21);
    assert.ok(!(await open(link)).text.includes('<svg'));
  });

  it('shows nothing of others', async () => {
    const [one, other] = [await customer('Uno'), await customer('Otro')];
    const foreign = await invoiced(other, 77);
    const link = await makeLink(one);
    const page = await open(link);
    assert.ok(!page.text.includes(foreign.code) && !page.text.includes('93,17'));
    const pdf = link.replace('/api/customers?', '/api/customers/pdf?');
    await missing(`${pdf}&document=${foreign.id}`);
    const draft = await make('/api/sales/invoices', {
      partnerId: one,
      lines: [{ description: 'X', quantity: 1, price: 1 }],
    });
    await missing(`${pdf}&document=${draft.id}`);
    const forged = link.replace(one, other);
    await missing(forged);
  });

  it('ends when it is revoked, made again or over', async () => {
    const partnerId = await customer('Eva');
    const first = await makeLink(partnerId);
    const second = await makeLink(partnerId);
    await missing(first);
    assert.equal((await open(second)).status, 200);
    assert.equal((await app.client.del(`/api/partners/${partnerId}/link`)).status, 204);
    await missing(second);
    assertProblem(await app.client.get(`/api/partners/${partnerId}/link`), 404, 'not_found');
    assertProblem(await app.client.del(`/api/partners/${partnerId}/link`), 404, 'not_found');
    const past = await app.client.post(`/api/partners/${partnerId}/link`, { expiresAt: '2020-01-01T00:00:00Z' });
    assertProblem(past, 422, 'validation_failed');
    assert.equal(past.body.errors[0].pointer, '/expiresAt');
  });

  it('has statements beside it that agree with the ledger', async () => {
    const partnerId = await customer('Luis');
    const invoice = await invoiced(partnerId, 100);
    await make('/api/payments/in', {
      partner_id: partnerId,
      amount: 21,
      payment_date: invoice.date,
      payment_method: 'transfer',
      linked_documents: [{ document_id: invoice.id, document_type: 'sales_invoice' }],
    });
    const path = `/api/reports/customer-statement?partner_id=${partnerId}&from=${invoice.date}`;
    const { data, summary } = (await app.client.get(path)).body;
    assert.deepEqual(
      data.rows.map((row: Answer['body']) => [row.code, row.charged, row.settled, row.balance]),
      [
        [null, 0, 0, 0],
        [invoice.code, 121, 0, 121],
        [null, 0, 21, 100],
      ],
    );
    assert.deepEqual(summary, { charged: 121, settled: 21, balance: 100 });
    const path2 = `/api/partners/${partnerId}/statement/send`;
    const noAddress = await app.client.post(path2, {});
    assertProblem(noAddress, 422, 'validation_failed');
    const wrong = await app.client.post(path2, { to: 'nobody' });
    assert.equal(wrong.body.errors[0].pointer, '/to');
    const started = await app.client.post(path2, { to: 'luis@example.com, ana@example.com', from: invoice.date });
    assert.equal(started.status, 202, JSON.stringify(started.body));
    assertProblem(
      await app.client.post(`/api/partners/${invoice.id}/statement/send`, { to: 'a@b.es' }),
      404,
      'not_found',
    );
    const none = await app.client.get(`/api/reports/customer-statement?partner_id=${invoice.id}`);
    assertProblem(none, 404, 'not_found');
  });
});
