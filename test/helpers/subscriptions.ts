/** A company that bills services again and again. */
import assert from 'node:assert/strict';
import { openTrade } from '../api/trade/documents/trade.ts';
import type { TestApp } from './app.ts';

export interface Recurring extends Record<string, unknown> {
  readonly id: string;
  readonly version: number;
}

export interface Subscriptions {
  readonly customerId: string;
  /** A service of 40 € net. */
  readonly serviceId: string;
  /** An item whose stock is kept. */
  readonly goodsId: string;
  /** Has two units of the service invoiced every month unless told otherwise. */
  subscribe(members: object): Promise<Recurring>;
  /** Has an amount entered at the end of each month: accounts 621 and 572. */
  subscribeEntry(amount: number): Promise<Recurring>;
}

/** Adds a customer with an e-mail address, a service and goods. */
export async function openSubscriptions(app: TestApp): Promise<Subscriptions> {
  const { client } = app;
  const trade = await openTrade(app, 100);
  await client.patch(`/api/partners/${trade.customerId}`, { email: 'accounts@customer.example' });
  const { uomId, salesTaxGroupId } = (await client.get(`/api/items/${trade.itemId}`)).body.data;
  const service = { code: 'MAINT', name: 'Maintenance', type: 'service', stockTracked: false, salePrice: 40 };
  const { body } = await client.post('/api/items', { ...service, uomId, salesTaxGroupId });
  const serviceId: string = body.data.id;
  const create = async (given: object): Promise<Recurring> => {
    const { status, body: answer } = await client.post('/api/recurring', given);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data;
  };
  return {
    customerId: trade.customerId,
    serviceId,
    goodsId: trade.itemId,
    subscribe: (members) =>
      create({
        ...{ name: 'Subscription', document_type: 'sales_invoice', interval: { unit: 'month' } },
        template: { partnerId: trade.customerId, lines: [{ itemId: serviceId, quantity: 2 }] },
        ...members,
      }),
    async subscribeEntry(amount) {
      const { body: accounts } = await client.get('/api/accounts?code[in]=621,572&sort=code');
      const [bank, rent] = accounts.data.map(({ id }: { id: string }) => id);
      const lines = [
        { accountId: rent, debit: amount },
        { accountId: bank, credit: amount },
      ];
      return await create({
        ...{ name: 'Rent', document_type: 'journal_entry', mode: 'post', template: { description: 'Rent', lines } },
        ...{ interval: { unit: 'month', day: 31 } },
      });
    },
  };
}
