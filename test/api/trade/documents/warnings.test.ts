import assert from 'node:assert/strict';
import { daysFromToday, TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

interface Warning {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

describe('warnings of documents', () => {
  const app = useApp();
  const trade = use(() => openTrade(app));

  const make = async (path: string, body?: object) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const patch = async (path: string, body: object) => {
    const answer = await app.client.patch(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const told = ({ warnings = [] }: { warnings?: Warning[] }) =>
    warnings.map(({ pointer, code }) => `${pointer} ${code}`);
  const line = (price: number | undefined, values: object = {}) => ({
    description: 'Porte',
    quantity: 1,
    ...(price === undefined ? {} : { price }),
    ...values,
  });
  const sale = (...lines: object[]) => ({ partnerId: trade.customerId, lines });
  const purchase = (...lines: object[]) => ({ partnerId: trade.supplierId, lines });
  const customer = async (creditLimit: number | null) => {
    const { groupId } = (await app.client.get(`/api/partners/${trade.customerId}`)).body.data;
    return (await make('/api/partners', { name: 'Café Norte', groupId, creditLimit })).id as string;
  };
  const flag = async (creditLimit: string) => {
    assert.equal((await app.client.put('/api/config/flags', { creditLimit })).status, 200);
  };

  it('a price of nowhere is told, one that was asked for is not', async () => {
    const [{ id: uomId }] = (await app.client.get('/api/uom?code=UD')).body.data;
    const { id: free } = await make('/api/items', { name: 'Muestra', uomId, type: 'service' });
    const order = await make('/api/sales', sale({ itemId: free, quantity: 1 }, line(undefined), line(0), line(2)));
    assert.deepEqual(told(order), ['/lines/0/price no_price', '/lines/1/price no_price']);
    assert.match(order.warnings[0].message, /the item has no price/);
    const read = (await app.client.get(`/api/sales/${order.id}`)).body.data;
    assert.equal(Object.hasOwn(read, 'warnings'), false);
    // Sent back with what was told, and with a further line.
    const more = await patch(`/api/sales/${order.id}`, {
      warnings: order.warnings,
      lines: [...order.lines.map(({ id }: { id: string }) => ({ id })), line(undefined)],
    });
    assert.deepEqual(told(more), ['/lines/4/price no_price']);
    const note = await make(`/api/sales/${order.id}/deliver`, {});
    assert.deepEqual(told(note), [], 'it was ordered at that price');
    const list = await make('/api/pricelists', { code: 'G', name: 'Gratis' });
    await make(`/api/pricelists/${list.id}/prices`, { itemId: free, price: 0 });
    const partnerId = await customer(null);
    await patch(`/api/partners/${partnerId}`, { priceListId: list.id });
    assert.deepEqual(told(await make('/api/sales', { partnerId, lines: [{ itemId: free, quantity: 1 }] })), []);
  });

  it('a purchase invoice without the supplier’s number is told until it has one', async () => {
    const path = '/api/purchases/invoices';
    const draft = await make(path, purchase(line(1)));
    assert.deepEqual(told(draft), ['/supplierReference no_supplier_reference']);
    assert.deepEqual(told(await patch(`${path}/${draft.id}`, { notes: 'x' })), told(draft));
    assert.deepEqual(told(await make(`${path}/${draft.id}/post`)), told(draft));
    const other = await make(path, purchase(line(1)));
    assert.deepEqual(told(await patch(`${path}/${other.id}`, { supplierReference: 'F-1' })), []);
    assert.deepEqual(told(await make(`${path}/${other.id}/post`)), []);
    assert.deepEqual(told(await make('/api/purchases', purchase(line(1)))), [], 'orders have none');
  });

  it('an account that the returns would contradict is told', async () => {
    const path = '/api/purchases/invoices';
    const named = async (code: string, price: number, more: object = {}) => {
      const [{ id: accountId }] = (await app.client.get(`/api/accounts?code=${code}`)).body.data;
      return line(price, { accountId, ...more });
    };
    const machine = await make(path, { ...purchase(await named('213', 3005.07)), supplierReference: 'M-1' });
    assert.deepEqual(told(machine), ['/lines/0/vatUse investment_goods']);
    const [{ id }] = machine.lines;
    assert.deepEqual(told(await patch(`${path}/${machine.id}`, { lines: [{ id, vatUse: 'investment' }] })), []);
    const lines = [await named('213', 3005.06), await named('600', 9000), await named('629', 9000)];
    assert.deepEqual(told(await make(path, { ...purchase(...lines), supplierReference: 'M-2' })), []);
    const abroad = { ...purchase(...lines), supplierReference: 'M-3', vatRegime: 'export' };
    const missing = ['/lines/0/itemId service_without_item', '/lines/1/itemId service_without_item'];
    assert.deepEqual(told(await make(path, abroad)), missing);
    const services = { ...sale(await named('705', 100)), vatRegime: 'export' };
    assert.deepEqual(told(await make('/api/sales/invoices', services)), []);
  });

  it('goods that are not there are told of orders and drafts, those of lines before counted', async () => {
    const [{ id: uomId }] = (await app.client.get('/api/uom?code=UD')).body.data;
    const { id: itemId } = await make('/api/items', { name: 'Silla', uomId, salePrice: 10 });
    await make('/api/purchases/delivery-notes', purchase({ itemId, quantity: 10, price: 5 }));
    const goods = (quantity: number) => ({ itemId, quantity });
    const short = (index: number) => `/lines/${index}/quantity insufficient_stock_expected`;
    const order = await make('/api/sales', sale(goods(6), line(1), goods(5)));
    assert.deepEqual(told(order), [short(2)]);
    assert.match(order.warnings[0].message, /^is more than the 4 that are available/);
    assert.deepEqual(told(await patch(`/api/sales/${order.id}`, { lines: [goods(6)] })), []);
    const draft = await make('/api/sales/invoices', sale(goods(4)));
    assert.deepEqual(told(draft), [], 'six are set aside for the order');
    assert.deepEqual(told(await patch(`/api/sales/invoices/${draft.id}`, { lines: [goods(5)] })), [short(0)]);
    assert.deepEqual(told(await make(`/api/sales/${order.id}/deliver`, {})), [], 'what was ordered is there');
    assert.deepEqual(told(await make('/api/sales', sale(goods(4)))), []);
    assert.deepEqual(told(await make('/api/sales', sale(goods(1)))), [short(0)]);
    assert.deepEqual(told(await make('/api/purchases', purchase({ ...goods(99), price: 1 }))), []);
  });

  it('what the law misses is told of invoices that are not simplified', async () => {
    const { groupId } = (await app.client.get(`/api/partners/${trade.customerId}`)).body.data;
    const invoice = async (partner: object, price: number, more: object = {}) => {
      const { id: partnerId } = await make('/api/partners', { name: 'X', groupId, ...partner });
      return make('/api/sales/invoices', { partnerId, lines: [line(price)], ...more });
    };
    const big = await invoice({}, 500);
    assert.deepEqual(told(big), ['/partnerId no_tax_id']);
    assert.deepEqual(told(await make(`/api/sales/invoices/${big.id}/post`)), ['/partnerId no_tax_id']);
    assert.deepEqual(told(await invoice({}, 300)), [], 'it may be simplified');
    const business = { nif: 'B87654323' };
    const company = (await app.client.get('/api/company')).body;
    assert.deepEqual(told(await invoice(business, 1)), [' no_company_address', '/billingAddress no_address']);
    const address = { address: 'Calle Mayor 1', city: 'Valencia' };
    const put = await app.client.put('/api/company', { ...company, ...address });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    const billingAddress = { street: 'Calle Menor 2', city: 'Gandía', countryCode: 'ES' };
    assert.deepEqual(told(await invoice({ nif: 'B12345674' }, 1, { billingAddress })), []);
    assert.deepEqual(told(await invoice({ nif: '12345678Z' }, 1)), [], 'a person need not');
    assert.deepEqual(told(await make('/api/purchases/invoices', purchase(line(500)))), [
      '/supplierReference no_supplier_reference',
    ]);
  });

  it('a date behind the number before is told, in transactions as well', async () => {
    const dated = (date: string) => ({ ...sale(line(1)), date });
    await make('/api/sales/delivery-notes', dated(TODAY));
    const late = await make('/api/sales/delivery-notes', dated(daysFromToday(-1)));
    assert.deepEqual(told(late), ['/date date_before_last']);
    assert.match(late.warnings[0].message, new RegExp(`before SDN\\d+-\\d+ of ${TODAY}$`));
    assert.deepEqual(told(await make('/api/sales/delivery-notes', dated(daysFromToday(-1)))), []);
    const invoices = '/api/sales/invoices';
    const drafts = [await make(invoices, dated(TODAY)), await make(invoices, dated(daysFromToday(-2)))];
    assert.deepEqual(drafts.map(told), [[], []], 'drafts have no number');
    const operations = drafts.map(({ id }, index) => ({
      id: `op${index}`,
      method: 'POST',
      path: `${invoices}/${id}/post`,
    }));
    const { body } = await app.client.post('/api/transactions', { operations });
    const answers = body.data.operations.map(
      (operation: { body: { data: { warnings?: Warning[] } } }) => operation.body.data,
    );
    assert.deepEqual(answers.map(told), [[], ['/date date_before_last']]);
  });

  describe('of credit limits', () => {
    after(() => flag('warn'));
    const OVER = ['/partnerId credit_limit'];
    const order = (partnerId: string, price: number) => ({ partnerId, lines: [line(price)] });

    it('count orders, notes, invoices and payments once each', async () => {
      const partnerId = await customer(121);
      const first = await make('/api/sales', order(partnerId, 100));
      assert.deepEqual(told(first), [], '121 of 121 with tax');
      assert.deepEqual(told(await make(`/api/sales/${first.id}/deliver`, {})), [], 'it moves on');
      const second = await make('/api/sales', order(partnerId, 10));
      assert.deepEqual(told(second), OVER);
      assert.match(second.warnings[0].message, /would owe 133\.1\d* EUR .* limit of 121$/);
      await make(`/api/sales/${second.id}/cancel`, {});
      const [note] = (await app.client.get(`/api/sales/delivery-notes?partnerId=${partnerId}`)).body.data;
      const draft = await make(`/api/sales/delivery-notes/${note.id}/invoice`, {});
      assert.deepEqual(told(draft), []);
      assert.deepEqual(told(await make('/api/sales', order(partnerId, 1))), OVER, 'the draft of the note counts');
      const { id } = await make(`/api/sales/invoices/${draft.id}/post`);
      assert.deepEqual(
        told(await make('/api/sales/invoices', order(partnerId, 1))),
        OVER,
        'a draft alone, as if posted',
      );
      const pay = { partner_id: partnerId, payment_date: TODAY, payment_method: 'transfer' };
      await make('/api/payments/in', {
        ...pay,
        amount: 121,
        linked_documents: [{ document_type: 'sales_invoice', document_id: id, amount_applied: 121 }],
      });
      const third = await make('/api/sales', order(partnerId, 90));
      assert.deepEqual(told(third), []);
      await make('/api/payments/in', { ...pay, amount: 50 });
      assert.deepEqual(
        told(await make('/api/sales', order(partnerId, 30))),
        [],
        'what they paid in advance counts for them',
      );
      assert.deepEqual(told(await patch(`/api/sales/${third.id}`, { lines: [line(140)] })), OVER);
      await make(`/api/sales/${third.id}/close`, {});
      assert.deepEqual(told(await make('/api/sales', order(partnerId, 5))), []);
    });

    it('are off, or block what adds to the debt but not what was agreed', async () => {
      const partnerId = await customer(0);
      await flag('off');
      const agreed = await make('/api/sales', order(partnerId, 100));
      assert.deepEqual(told(agreed), []);
      await flag('block');
      const refused = await app.client.post('/api/sales', order(partnerId, 1));
      assert.deepEqual(
        { status: refused.status, code: refused.body.code, pointer: refused.body.errors[0].pointer },
        { status: 409, code: 'credit_limit', pointer: '/partnerId' },
      );
      assert.equal((await app.client.post('/api/sales/delivery-notes', order(partnerId, 1))).status, 409);
      assert.equal((await app.client.patch(`/api/sales/${agreed.id}`, { lines: [line(200)] })).status, 409);
      assert.deepEqual(told(await patch(`/api/sales/${agreed.id}`, { lines: [line(50)] })), OVER, 'less is welcome');
      const invoice = { partnerId, lines: [{ baseId: agreed.id, quantity: 1 }] };
      const based = await make('/api/sales/invoices', invoice);
      assert.deepEqual(told(based), OVER, 'what was ordered is invoiced');
      assert.deepEqual(told(await make(`/api/sales/invoices/${based.id}/post`)), OVER);
      const alone = await make('/api/sales/invoices', order(partnerId, 1));
      assert.deepEqual(told(alone), OVER);
      assert.equal((await app.client.post(`/api/sales/invoices/${alone.id}/post`)).body.code, 'credit_limit');
      assert.equal((await make('/api/sales', order(await customer(null), 1_000_000))).warnings, undefined);
    });

    it('let pass as many at the same time as there is room for', async () => {
      await flag('block');
      const partnerId = await customer(60.5);
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => app.client.post('/api/sales', order(partnerId, 10))),
      );
      const passed = answers.filter(({ status }) => status === 201).length;
      const blocked = answers.filter(({ body }) => body.code === 'credit_limit').length;
      assert.deepEqual([passed, blocked], [5, 11], JSON.stringify(answers.map(({ status }) => status)));
    });
  });
});
