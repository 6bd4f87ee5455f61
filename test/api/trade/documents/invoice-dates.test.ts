import assert from 'node:assert/strict';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** The supplier's date, the date of entry and the date of supply (decision 0160). */
describe('the dates of an invoice', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const path = '/api/purchases/invoices';
  const year = () => Number(till.today.slice(0, 4)) - 1;
  /** Days of last year: the invoice of September is entered in November. */
  const day = (monthDay: string) => `${year()}-${monthDay}`;
  const lines = () => [{ itemId: till.itemId, quantity: 1, price: 100 }];

  async function sent(side: 'sales' | 'purchases', more: Body) {
    const partnerId = side === 'sales' ? till.customerId : till.supplierId;
    const answer = await app.client.post(`/api/${side}/invoices`, {
      partnerId,
      lines: lines(),
      date: day('11-10'),
      ...more,
    });
    return { status: answer.status, data: answer.body.data, fault: answer.body.errors?.[0] };
  }
  async function made(more: Body = {}) {
    const { status, data, fault } = await sent('purchases', more);
    assert.equal(status, 201, JSON.stringify(fault));
    return data;
  }
  const patched = (id: string, change: Body) => app.client.patch(`${path}/${id}`, change);

  it('an invoice of September is entered in November and due from September', async () => {
    await app.client.patch(`/api/partners/${till.supplierId}`, { paymentTermDays: 30 });
    const draft = await made({ documentDate: day('09-20'), operationDate: day('09-18') });
    assert.deepEqual(
      [draft.date, draft.documentDate, draft.operationDate, draft.dueDate],
      [day('11-10'), day('09-20'), day('09-18'), day('10-20')],
    );
    const { status, body } = await app.client.post(`${path}/${draft.id}/post`, {});
    assert.equal(status, 200, JSON.stringify(body));
    const entries = await till.read(`/api/journal-entries?sourceId=${draft.id}`);
    assert.equal(entries[0].date, day('11-10'));
  });

  it('without one it has the date of entry, and moves with it', async () => {
    const draft = await made();
    assert.deepEqual([draft.documentDate, draft.operationDate], [day('11-10'), null]);
    const moved = await patched(draft.id, { date: day('11-12') });
    assert.deepEqual([moved.body.data.documentDate, moved.body.data.dueDate], [day('11-12'), day('12-12')]);
    const own = await patched(draft.id, { documentDate: day('10-01') });
    assert.equal(own.body.data.dueDate, day('10-31'));
    const kept = await patched(draft.id, { date: day('11-20') });
    assert.deepEqual([kept.body.data.documentDate, kept.body.data.dueDate], [day('10-01'), day('10-31')]);
    const cleared = await patched(draft.id, { documentDate: null });
    assert.equal(cleared.body.data.documentDate, day('11-20'));
  });

  it('sales have a date of supply only', async () => {
    const { data } = await sent('sales', { operationDate: day('10-31') });
    assert.equal(data.operationDate, day('10-31'));
    assert.ok(!('documentDate' in data));
    assert.equal((await sent('sales', { documentDate: day('10-31') })).status, 422);
  });

  it('refuses dates in the wrong order', async () => {
    const faults = await Promise.all([
      sent('purchases', { documentDate: day('11-11') }),
      sent('purchases', { documentDate: day('09-20'), operationDate: day('09-21') }),
      sent('purchases', { documentDate: day('09-20'), dueDate: day('09-19') }),
      sent('sales', { operationDate: day('11-11') }),
      sent('purchases', { documentDate: '2025-02-30' }),
    ]);
    assert.deepEqual(
      faults.map(({ status, fault }) => [status, fault.pointer]),
      [
        [422, '/documentDate'],
        [422, '/operationDate'],
        [422, '/dueDate'],
        [422, '/operationDate'],
        [422, '/documentDate'],
      ],
    );
    const draft = await made({ documentDate: day('11-01') });
    assert.equal((await patched(draft.id, { date: day('10-31') })).status, 422);
  });

  it('is taxed by the rate of the day of supply', async () => {
    const rate = async (validFrom: string | null, validTo: string | null, percent: number) => {
      const body = { code: 'TEMP', name: `${percent} %`, rate: percent, kind: 'vat', validFrom, validTo };
      const answer = await app.client.post(
        '/api/taxes',
        Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      );
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data.id as string;
    };
    await rate(null, day('09-30'), 5);
    const accountTax = await rate(day('10-01'), null, 10);
    const { uomId } = await till.read(`/api/items/${till.itemId}`);
    const item = await app.client.post('/api/items', {
      name: 'Aceite',
      uomId,
      purchaseTaxGroupId: accountTax,
      type: 'service',
    });
    const oil = [{ itemId: item.body.data.id, quantity: 1, price: 100 }];
    const rates = [];
    for (const more of [
      {},
      { documentDate: day('09-20') },
      { documentDate: day('10-02'), operationDate: day('09-30') },
    ]) {
      rates.push((await made({ lines: oil, ...more })).lines[0].taxRate);
    }
    assert.deepEqual(rates, [10, 5, 5]);
  });

  it('follows notes and is rectified with its own date; lists and exports know it', async () => {
    const note = await app.client.post('/api/purchases/delivery-notes', {
      partnerId: till.supplierId,
      lines: lines(),
      date: day('09-10'),
    });
    const body = { date: day('11-10'), documentDate: day('09-11'), operationDate: day('09-10') };
    assert.equal(note.status, 201, JSON.stringify(note.body));
    const { body: invoice } = await app.client.post(`/api/purchases/delivery-notes/${note.body.data.id}/invoice`, body);
    await app.client.post(`${path}/${invoice.data.id}/post`, {});
    const rectify = { reason: 'Abono', date: day('12-01'), documentDate: day('11-28') };
    const back = await app.client.post(`${path}/${invoice.data.id}/rectify`, rectify);
    assert.equal(back.body.data.documentDate, day('11-28'), JSON.stringify(back.body));
    const changed = await patched(back.body.data.id, { documentDate: day('11-27') });
    assert.equal(changed.body.data.documentDate, day('11-27'), JSON.stringify(changed.body));
    const listed = await till.read(`${path}?documentDate[lte]=${day('09-11')}&sort=documentDate`);
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [invoice.data.id],
    );
    const file = await (await download(app, `${path}?format=csv&documentDate=${day('09-11')}`)).text();
    assert.match(file, /Fecha de la factura/);
  });
});
