/** Invoices to pay over HTTP, with every amount known. */
import assert from 'node:assert/strict';
import type { TestApp } from '../../../helpers/app.ts';
import type { Answer } from '../../../helpers/client.ts';
import { companyDay } from '../../../helpers/clock.ts';
import { openTrade, type Trade } from '../documents/trade.ts';

type Body = Record<string, unknown>;

export interface Till extends Trade {
  readonly today: string;
  /** A line of the item. */
  line(quantity: number, price: number, more?: Body): Body;
  /** A document of the customer, or of the supplier where the path is of purchases. */
  document(path: string, lines: readonly Body[], more?: Body): Promise<Answer['body']>;
  /** Posts an invoice with that total, by default without VAT. */
  invoice(side: 'sales' | 'purchases', total: number, more?: Body): Promise<{ id: string; code: string }>;
  /** An invoice that credits `total`, posted; its id. */
  credit(side: 'sales' | 'purchases', total: number): Promise<string>;
  /** A payment with the usual members. */
  pay(direction: 'in' | 'out', amount: number, more?: Body): Promise<Answer>;
  /** A receipt of the customer that is taken; its id. */
  paid(amount: number, links: readonly Body[], more?: Body): Promise<string>;
  /** Registers the return of a payment, by default today. */
  comesBack(paymentId: string, more?: Body, direction?: 'in' | 'out'): Promise<Answer>;
  /** The same, which must succeed. */
  cameBack(...args: Parameters<Till['comesBack']>): Promise<Body & { id: string; linked_documents: Body[] }>;
  /** Lines of the entries of a payment as `code debit credit`, in order. */
  entered(paymentId: string): Promise<string[]>;
  /** The answered resource or report; whatever it holds. */
  read(path: string): Promise<Answer['body']>;
}

export async function openTill(app: TestApp): Promise<Till> {
  const trade = await openTrade(app);
  const { client } = app;
  const taxes = await client.get('/api/taxes?code=IVA0');
  const free = taxes.body.data[0].id as string;
  const today = companyDay(app.clock.now);
  const made = async (path: string, body: unknown) => {
    const answer = await client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const invoice: Till['invoice'] = async (side, total, { taxGroupId = free, ...more } = {}) => {
    const path = `/api/${side}/invoices`;
    const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
    const lines = [{ description: 'Servicio', quantity: 1, price: total, taxGroupId }];
    const draft = await made(path, { partnerId, lines, ...more });
    const { id, code } = await made(`${path}/${draft.id}/post`, {});
    return { id, code };
  };
  const pay: Till['pay'] = (direction, amount, more = {}) =>
    client.post(`/api/payments/${direction}`, {
      partner_id: direction === 'in' ? trade.customerId : trade.supplierId,
      amount,
      payment_date: today,
      payment_method: 'transfer',
      ...more,
    });
  const comesBack: Till['comesBack'] = (id, more = {}, direction = 'in') =>
    client.post(`/api/payments/${direction}/${id}/return`, { date: today, ...more });
  return {
    ...trade,
    today,
    line: (quantity, price, more = {}) => ({ itemId: trade.itemId, quantity, price, ...more }),
    async document(path, lines, more = {}) {
      const partnerId = path.startsWith('/api/purchases') ? trade.supplierId : trade.customerId;
      return await made(path, { partnerId, lines, ...more });
    },
    invoice,
    async credit(side, total) {
      const path = `/api/${side}/invoices`;
      const { id } = await invoice(side, total);
      const draft = await made(`${path}/${id}/rectify`, { reason: 'error' });
      await made(`${path}/${draft.id}/post`, {});
      return draft.id;
    },
    pay,
    async paid(amount, links, more) {
      const { status, body } = await pay('in', amount, { linked_documents: links, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body.data.id;
    },
    comesBack,
    async cameBack(...args) {
      const { status, body } = await comesBack(...args);
      assert.equal(status, 201, JSON.stringify(body));
      return body.data;
    },
    async entered(paymentId) {
      const rows = await app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
        const { rows: found } = (await db.raw(
          `select a.code, l.debit::float8 as debit, l.credit::float8 as credit from journal_entries e join journal_lines l
            on l.entry_id = e.id
           join accounts a on a.id = l.account_id where e.source_id = ? order by e.seq, l.line_number`,
          [paymentId],
        )) as { rows: { code: string; debit: number; credit: number }[] };
        return found;
      });
      return rows.map(({ code, debit, credit }) => `${code} ${debit} ${credit}`);
    },
    async read(path) {
      const { status, body } = await client.get(path);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data ?? body;
    },
  };
}

export function link(document_id: string, amount_applied?: number, document_type = 'sales_invoice', more: Body = {}) {
  return { document_type, document_id, ...(amount_applied === undefined ? {} : { amount_applied }), ...more };
}
