import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { link, openTill } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

type Body = Record<string, unknown>;

/** The entry of each event: the posting table of the PGC, each row over HTTP and to the cent. */
describe('posting table', () => {
  const taxes = new Map<string, string>();

  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  before(async () => {
    for (const { code, id } of (await till.read('/api/taxes')) as { code: string; id: string }[]) taxes.set(code, id);
  });

  const goods = (price: number, more: Body = {}) => ({ itemId: till.itemId, quantity: 1, price, ...more });
  const service = (price: number, more: Body = {}) => ({
    description: 'Servicio',
    quantity: 1,
    price,
    taxGroupId: taxes.get('IVA21'),
    ...more,
  });
  const on = (code: string) => ({ accountId: books.account(code) });

  async function invoice(side: 'sales' | 'purchases', lines: readonly Body[], more: Body = {}) {
    const path = `/api/${side}/invoices`;
    const partnerId = side === 'sales' ? till.customerId : till.supplierId;
    const { id } = await books.make(path, { partnerId, lines, ...more });
    return await books.make<{ id: string; code: string; total: number }>(`${path}/${id}/post`);
  }

  interface Row {
    readonly event: string;
    readonly side: 'sales' | 'purchases';
    readonly lines: () => readonly Body[];
    readonly more?: () => Body;
    readonly entry: readonly string[];
  }

  const ROWS: readonly Row[] = [
    {
      event: 'a sale of goods and services at several rates',
      side: 'sales',
      lines: () => [goods(100), service(50), service(25, { taxGroupId: taxes.get('IVA10') })],
      entry: ['D 430 209', 'H 700 100', 'H 705 75', 'H 47700021 31.5', 'H 47700010 2.5'],
    },
    {
      event: 'a sale to a customer in the equivalence surcharge',
      side: 'sales',
      lines: () => [goods(100)],
      more: () => ({ vatRegime: 'surcharge' }),
      entry: ['D 430 126.2', 'H 700 100', 'H 47700021 21', 'H 47710520 5.2'],
    },
    {
      event: 'services of a professional, from which the customer withholds',
      side: 'sales',
      lines: () => [service(1000)],
      more: () => ({ withholdingRate: 15 }),
      entry: ['D 430 1060', 'H 705 1000', 'H 47700021 210', 'D 473 150'],
    },
    {
      event: 'premises let',
      side: 'sales',
      lines: () => [service(1000, on('752'))],
      more: () => ({ withholdingRate: 19 }),
      entry: ['D 430 1020', 'H 752 1000', 'H 47700021 210', 'D 473 190'],
    },
    ...(['intra_eu', 'export', 'reverse_charge', 'exempt', 'not_subject'] as const).map(
      (vatRegime): Row => ({
        event: `a sale under ${vatRegime}`,
        side: 'sales',
        lines: () => [goods(100), service(50)],
        more: () => ({ vatRegime }),
        entry: ['D 430 150', 'H 700 100', 'H 705 50'],
      }),
    ),
    {
      event: 'a purchase of goods',
      side: 'purchases',
      lines: () => [goods(100)],
      entry: ['H 400 121', 'D 600 100', 'D 47200021 21'],
    },
    {
      event: 'a purchase of services',
      side: 'purchases',
      lines: () => [service(100, on('628'))],
      entry: ['H 410 121', 'D 628 100', 'D 47200021 21'],
    },
    {
      event: 'a professional, from whom is withheld',
      side: 'purchases',
      lines: () => [service(1000, on('623'))],
      more: () => ({ withholdingRate: 7 }),
      entry: ['H 410 1140', 'D 623 1000', 'D 47200021 210', 'H 4751 70'],
    },
    {
      event: 'premises rented',
      side: 'purchases',
      lines: () => [service(1000, on('621'))],
      more: () => ({ withholdingRate: 19 }),
      entry: ['H 410 1020', 'D 621 1000', 'D 47200021 210', 'H 4751 190'],
    },
    {
      event: 'goods bought within the EU',
      side: 'purchases',
      lines: () => [goods(100)],
      more: () => ({ vatRegime: 'intra_eu' }),
      entry: ['H 400 100', 'D 600 100', 'D 47220021 21', 'H 47720021 21'],
    },
    {
      event: 'a purchase under reverse charge',
      side: 'purchases',
      lines: () => [service(100, on('622'))],
      more: () => ({ vatRegime: 'reverse_charge' }),
      entry: ['H 410 100', 'D 622 100', 'D 47200021 21', 'H 47700021 21'],
    },
    {
      event: 'goods imported',
      side: 'purchases',
      lines: () => [goods(1000)],
      more: () => ({ vatRegime: 'export' }),
      entry: ['H 400 1000', 'D 600 1000'],
    },
    {
      event: 'an asset',
      side: 'purchases',
      lines: () => [service(1000, { ...on('217'), vatUse: 'investment' })],
      entry: ['H 523 1210', 'D 217 1000', 'D 47200021 210'],
    },
    {
      event: 'an asset owed for more than a year',
      side: 'purchases',
      lines: () => [service(1000, { ...on('213'), vatUse: 'investment' })],
      more: () => ({ date: `${till.today.slice(0, 4)}-01-10`, dueDate: `${Number(till.today.slice(0, 4)) + 1}-01-11` }),
      entry: ['H 173 1210', 'D 213 1000', 'D 47200021 210'],
    },
  ];
  for (const { event, side, lines, more, entry } of ROWS) {
    it(event, async () => {
      const { id } = await invoice(side, lines(), more?.());
      assert.deepEqual(await books.enteredFor(id), entry);
    });
  }

  it('adds tax to the cost for a retailer under the equivalence surcharge, including self-assessed tax', async () => {
    const settle = async (value: Body) => assert.equal((await app.client.put('/api/config/tax', value)).status, 200);
    await settle({ surchargeRegime: true });
    const domestic = await invoice('purchases', [goods(100)]);
    const intraEu = await invoice('purchases', [goods(100)], { vatRegime: 'intra_eu' });
    const phone = await invoice('purchases', [service(100, on('629'))]);
    const unlisted = await invoice('purchases', [service(100, { ...on('600'), vatRegime: 'surcharge' })]);
    await settle({});
    assert.deepEqual(await books.enteredFor(phone.id), ['H 410 121', 'D 629 121']);
    assert.deepEqual(await books.enteredFor(unlisted.id), ['H 410 126.2', 'D 600 126.2']);
    assert.deepEqual(await books.enteredFor(domestic.id), ['H 400 126.2', 'D 600 126.2']);
    assert.deepEqual(await books.enteredFor(intraEu.id), [
      'H 400 100',
      'D 600 126.2',
      'H 47720021 21',
      'H 47710520 5.2',
    ]);
  });

  const rectify = async (side: 'sales' | 'purchases', id: string, body: Body = {}) => {
    const path = `/api/${side}/invoices`;
    const draft = await books.make(`${path}/${id}/rectify`, { reason: 'Devolución', ...body });
    return await books.make(`${path}/${draft.id}/post`);
  };

  it('enters goods returned by customers and to suppliers', async () => {
    const sold = await invoice('sales', [goods(100)]);
    const back = await rectify('sales', sold.id);
    assert.deepEqual(await books.enteredFor(back.id), ['H 430 121', 'D 708 100', 'D 47700021 21']);
    const bought = await invoice('purchases', [goods(100)]);
    const returned = await rectify('purchases', bought.id);
    assert.deepEqual(await books.enteredFor(returned.id), ['D 400 121', 'H 608 100', 'H 47200021 21']);
  });

  it('enters later discounts and rebates, given and received', async () => {
    const credit = async (side: 'sales' | 'purchases', code: string) => {
      const { id: rectifies } = await invoice(side, [goods(100)]);
      const docType = side === 'sales' ? 'SINV' : 'PINV';
      const [{ id: seriesId }] = await till.read(`/api/series?docType=${docType}&rectifying=true`);
      const line = { ...service(10, on(code)), quantity: -1, description: 'Descuento' };
      return await books.enteredFor((await invoice(side, [line], { rectifies, seriesId, reason: 'Rappel' })).id);
    };
    assert.deepEqual(await credit('sales', '709'), ['H 430 12.1', 'D 709 10', 'D 47700021 2.1']);
    assert.deepEqual(await credit('sales', '706'), ['H 430 12.1', 'D 706 10', 'D 47700021 2.1']);
    assert.deepEqual(await credit('purchases', '609'), ['D 400 12.1', 'H 609 10', 'H 47200021 2.1']);
    assert.deepEqual(await credit('purchases', '606'), ['D 400 12.1', 'H 606 10', 'H 47200021 2.1']);
  });

  const paid = async (direction: 'in' | 'out', amount: number, more: Body = {}) => {
    const answer = await till.pay(direction, amount, more);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };
  const linked = (id: string, side: 'sales' | 'purchases', more: Body = {}) => ({
    linked_documents: [link(id, undefined, side === 'sales' ? 'sales_invoice' : 'purchase_invoice', more)],
  });

  it('enters money received and paid by bank, in cash and by bill, less prompt payment discounts', async () => {
    for (const [method, account, paying = account] of [
      ['transfer', '572'],
      ['cash', '570'],
      ['effects', '431', '401'],
    ]) {
      const sold = await invoice('sales', [service(100)]);
      const received = await paid('in', 121, { ...linked(sold.id, 'sales'), payment_method: method });
      assert.deepEqual(await books.enteredFor(received), [`D ${account} 121`, 'H 430 121']);
      const bought = await invoice('purchases', [goods(100)]);
      const issued = await paid('out', 121, { ...linked(bought.id, 'purchases'), payment_method: method });
      assert.deepEqual(await books.enteredFor(issued), [`H ${paying} 121`, 'D 400 121']);
    }
    const sold = await invoice('sales', [service(100)]);
    const prompt = await paid('in', 118.58, linked(sold.id, 'sales', { discount: 2.42 }));
    assert.deepEqual(await books.enteredFor(prompt), ['D 572 118.58', 'D 706 2', 'D 47700021 0.42', 'H 430 121']);
    const bought = await invoice('purchases', [service(100, on('628'))]);
    const early = await paid('out', 118.58, linked(bought.id, 'purchases', { discount: 2.42 }));
    assert.deepEqual(await books.enteredFor(early), ['H 572 118.58', 'H 606 2', 'H 47200021 0.42', 'D 410 121']);
    // VAT that was part of the cost is taken back of the cost; what was charged to oneself on both sides.
    const car = await invoice('purchases', [goods(100, { vatUse: 'none' })]);
    const ofCost = await paid('out', 118.58, linked(car.id, 'purchases', { discount: 2.42 }));
    assert.deepEqual(await books.enteredFor(ofCost), ['H 572 118.58', 'H 606 2', 'H 600 0.42', 'D 400 121']);
    const abroad = await invoice('purchases', [goods(100)], { vatRegime: 'intra_eu' });
    const both = await paid('out', 98, linked(abroad.id, 'purchases', { discount: 2 }));
    const selfCharged = ['H 572 98', 'H 606 2', 'H 47220021 0.42', 'D 47720021 0.42', 'D 400 100'];
    assert.deepEqual(await books.enteredFor(both), selfCharged);
  });

  it("enters a customer's advance with the VAT due, and the invoice that consumes it", async () => {
    const advance = await invoice('sales', [service(100, { ...on('438'), description: 'Anticipo' })]);
    assert.deepEqual(await books.enteredFor(advance.id), ['D 430 121', 'H 438 100', 'H 47700021 21']);
    const received = await paid('in', 121, linked(advance.id, 'sales'));
    assert.deepEqual(await books.enteredFor(received), ['D 572 121', 'H 430 121']);
    const taken = service(-100, { ...on('438'), description: `Anticipo ${advance.code}` });
    const sold = await invoice('sales', [goods(1000), taken]);
    assert.deepEqual(await books.enteredFor(sold.id), ['D 430 1089', 'H 700 1000', 'D 438 100', 'H 47700021 189']);
    assert.equal(await books.balance('438'), 0);
  });

  it('enters an advance to a supplier with its invoice, and the invoice that consumes it', async () => {
    const advance = await invoice('purchases', [service(100, { ...on('407'), description: 'Anticipo' })]);
    assert.deepEqual(await books.enteredFor(advance.id), ['H 410 121', 'D 407 100', 'D 47200021 21']);
    await paid('out', 121, linked(advance.id, 'purchases'));
    const bought = await invoice('purchases', [goods(1000), service(-100, on('407'))]);
    assert.deepEqual(await books.enteredFor(bought.id), ['H 400 1089', 'D 600 1000', 'H 407 100', 'D 47200021 189']);
    assert.equal(await books.balance('407'), 0);
  });

  it('enters credit without an invoice, which later settles one', async () => {
    const received = await paid('in', 121);
    assert.deepEqual(await books.enteredFor(received), ['D 572 121', 'H 438 121']);
    const sold = await invoice('sales', [service(100)]);
    await books.make(`/api/payments/in/${received}/apply`, { mode: 'manual', ...linked(sold.id, 'sales') });
    assert.deepEqual((await books.enteredFor(received)).slice(2), ['D 438 121', 'H 430 121']);
    const issued = await paid('out', 50);
    assert.deepEqual(await books.enteredFor(issued), ['H 572 50', 'D 407 50']);
  });

  it('enters stock count differences at the value of the goods', async () => {
    const { uomId, purchaseTaxGroupId } = await till.read(`/api/items/${till.itemId}`);
    const { id: itemId } = await books.make('/api/items', { name: 'Tornillo', uomId, purchaseTaxGroupId });
    const received = [{ itemId, quantity: 10, price: 2.5 }];
    await books.make('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines: received });
    const count = async (countedQuantity: number) => {
      const lines = [{ itemId, countedQuantity }];
      const { id } = await books.make('/api/stock/adjustments', { warehouseId: till.warehouseId, lines });
      return await books.enteredFor(id);
    };
    assert.deepEqual(await count(7), ['H 300 7.5', 'D 610 7.5']);
    assert.deepEqual(await count(8), ['D 300 2.5', 'H 610 2.5']);
  });

  /** Events that no document causes: people enter them, on accounts that a new company has. */
  const BY_HAND: readonly (readonly [event: string, ...lines: string[]])[] = [
    ['a doubtful customer', 'D 436 100', 'H 430 100'],
    ['its impairment', 'D 694 100', 'H 490 100'],
    ['written off', 'D 650 100', 'D 490 100', 'H 436 100', 'H 794 100'],
    ['payroll', 'D 640 2000', 'D 642 600', 'H 476 730', 'H 4751 300', 'H 465 1550', 'H 460 20'],
    ['wages, social security and income tax paid', 'D 465 1550', 'D 476 730', 'D 4751 300', 'H 572 2580'],
    ['severance', 'D 641 500', 'H 465 500'],
    ['stock at the end of the year', 'D 610 10', 'H 300 10'],
    ['finished goods', 'D 350 10', 'H 712 10'],
    ['stock written down', 'D 693 5', 'H 390 5'],
    ['and up again', 'D 390 5', 'H 793 5'],
    ['depreciation', 'D 681 40', 'D 680 10', 'H 281 40', 'H 280 10'],
    ['a loan', 'D 572 1000', 'H 170 900', 'H 520 100'],
    ['its instalment', 'D 520 90', 'D 662 10', 'H 572 100'],
    ['a bank fee', 'D 626 3', 'H 572 3'],
    ['VAT to pay', 'D 477 210', 'H 472 100', 'H 4750 60', 'H 4700 50'],
    ['VAT in credit', 'D 477 100', 'D 4700 110', 'H 472 210'],
    ['VAT paid', 'D 4750 60', 'H 572 60'],
    ['corporate tax', 'D 6300 250', 'H 473 50', 'H 4752 200'],
    ['corporate tax in credit', 'D 6300 10', 'D 4709 40', 'H 473 50'],
    ['an instalment of income tax', 'D 473 25', 'H 572 25'],
    ['customs: VAT to the agent', 'D 47230021 21', 'H 410 21'],
    ['deferred VAT of imports', 'D 47230021 21', 'H 4750 21'],
    ['the result on approval', 'D 129 100', 'H 112 10', 'H 113 40', 'H 120 50'],
    ['a loss', 'D 121 30', 'H 129 30'],
    ['a bill accepted, and collected', 'D 431 10', 'H 430 10', 'D 572 10', 'H 431 10'],
    ['a bill owed, and paid', 'D 400 10', 'H 401 10', 'D 401 10', 'H 572 10'],
    ['goods received or delivered without invoice', 'D 600 10', 'H 4009 10', 'D 4309 10', 'H 700 10'],
  ];
  for (const [event, ...lines] of BY_HAND) {
    it(`by hand: ${event}`, async () => {
      const entry = await books.make<{ lines: { accountCode: string; debit: number; credit: number }[] }>(
        '/api/journal-entries',
        {
          date: till.today,
          post: true,
          description: event,
          lines: lines.map((line) => {
            const [side, code = '', amount] = line.split(' ');
            return { ...on(code), [side === 'D' ? 'debit' : 'credit']: Number(amount) };
          }),
        },
      );
      const entered = entry.lines.map((line) =>
        line.credit > 0 ? `H ${line.accountCode} ${line.credit}` : `D ${line.accountCode} ${line.debit}`,
      );
      assert.deepEqual(entered, lines);
    });
  }
});
