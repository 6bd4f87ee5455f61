import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const NOTES = '/api/purchases/delivery-notes';
const INVOICES = '/api/purchases/invoices';

describe('the invoiced price over HTTP', () => {
  const app = useApp({}, { each: true });
  let supplierId: string;
  let itemId: string;
  let references = 0;

  const post = async (path: string, body: object = {}) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  beforeEach(async () => {
    const firstId = async (path: string) => (await app.client.get(path)).body.data[0].id as string;
    supplierId = (
      await post('/api/partners', { name: 'Molino', groupId: await firstId('/api/partnerGroups?code=PRO') })
    ).id;
    const taxGroupId = await firstId('/api/taxes?code=IVA21');
    const taxes = { salesTaxGroupId: taxGroupId, purchaseTaxGroupId: taxGroupId };
    itemId = (await post('/api/items', { name: 'Harina', uomId: await firstId('/api/uom?code=UD'), ...taxes })).id;
  });

  const bought = (price: number, date: string) =>
    post(NOTES, { partnerId: supplierId, date, lines: [{ itemId, quantity: 10, price }] });
  const invoiced = async (note: { id: string }, price: number, date: string) => {
    const lines = [{ baseType: 'PDN', baseId: note.id, itemId, quantity: 10, price }];
    const { id } = await post(INVOICES, { partnerId: supplierId, date, supplierReference: `F-${++references}`, lines });
    return await post(`${INVOICES}/${id}/post`);
  };
  /** Returns the balance of an account at the end of a day. */
  const accountBalance = async (code: string, day: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const { rows } = await db.raw<{ rows: { balance: number }[] }>(
        `select coalesce(sum(l.debit - l.credit), 0)::float as balance from journal_lines l join accounts a on a.id = l.account_id
         join journal_entries e on e.id = l.entry_id
         where a.code = '${code}' and l.date <= '${day}' and e.kind not in ('closing', 'opening')`,
      );
      return rows[0]?.balance;
    });

  it('is in the stock account when the year is closed, and nothing is lost', async () => {
    await invoiced(await bought(40, `${YEAR}-03-01`), 45, `${YEAR}-03-20`);
    const closed = await post(`/api/fiscal-years/${YEAR}/close`);
    // 600: 450; 610: −450.
    assert.equal(closed.result, 0);
    assert.equal(await accountBalance('300', `${YEAR}-12-31`), 450);
  });

  it('shows as a movement of nothing on the day of the invoice; the note stays as it was', async () => {
    const note = await bought(40, `${YEAR}-03-01`);
    const invoice = await invoiced(note, 45, `${YEAR}-03-20`);
    const { body } = await app.client.get(`/api/stock/movements?itemId=${itemId}`);
    const shown = (body.data as Record<string, unknown>[]).map(
      ({ date, quantity, unitCost, value, documentId, balance }) => {
        return { date, quantity, unitCost, value, documentId, balance };
      },
    );
    assert.deepEqual(shown, [
      { date: `${YEAR}-03-20`, quantity: 0, unitCost: null, value: 50, documentId: invoice.id, balance: 10 },
      { date: `${YEAR}-03-01`, quantity: 10, unitCost: 40, value: 400, documentId: note.id, balance: 10 },
    ]);
    assert.equal(body.data[0].revaluesId, body.data[1].id);
    assert.equal((await app.client.get(`${NOTES}/${note.id}`)).body.data.lines[0].price, 40);
  });

  it('of a note of a closed year belongs to the open one', async () => {
    const note = await bought(40, `${YEAR - 1}-12-20`);
    await post(`/api/fiscal-years/${YEAR - 1}/close`);
    const stock = await accountBalance('300', `${YEAR - 1}-12-31`);
    const refused = await app.client.post(INVOICES, {
      partnerId: supplierId,
      date: `${YEAR - 1}-12-31`,
      lines: [{ baseType: 'PDN', baseId: note.id, itemId, quantity: 10, price: 45 }],
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'period_closed']);
    await invoiced(note, 45, `${YEAR}-01-20`);
    await post('/api/journal-entries/stock-variation', { date: `${YEAR}-01-31` });
    // 400 came last year, 10 × 5 = 50 more is of this one.
    assert.deepEqual([stock, await accountBalance('300', `${YEAR - 1}-12-31`)], [400, 400]);
    assert.equal(await accountBalance('300', `${YEAR}-01-31`), 450);
  });

  for (const { settings, who, worth } of [
    // 450, 21 % and 5.2 % of it: 450 + 94.50 + 23.40.
    { settings: { surchargeRegime: true }, who: 'a retailer in the equivalence surcharge', worth: 567.9 },
    // 40 % of 94.50 is not deducted: 450 + 37.80.
    { settings: { proRata: 60 }, who: 'a company with a pro rata of 60 %', worth: 487.8 },
  ]) {
    it(`has the tax that ${who} does not deduct`, async () => {
      const { body } = await app.client.get('/api/config/tax');
      assert.equal((await app.client.put('/api/config/tax', { ...body.data, ...settings })).status, 200);
      await invoiced(await bought(40, `${YEAR}-03-01`), 45, `${YEAR}-03-20`);
      await post('/api/journal-entries/stock-variation', { date: `${YEAR}-03-31` });
      const [bought600, stock] = [
        await accountBalance('600', `${YEAR}-03-31`),
        await accountBalance('300', `${YEAR}-03-31`),
      ];
      assert.deepEqual([bought600, stock], [worth, worth]);
    });
  }
});
