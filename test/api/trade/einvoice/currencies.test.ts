import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { brokenRules } from '../../../helpers/invoice-rules.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../documents/trade.ts';

/** Electronic invoices in another currency, with their tax in the company's (decision 0317). */
describe('electronic invoices in other currencies', function () {
  this.timeout(120_000);
  const app = useApp();
  use(() => openTrade(app, 0));
  const books = use(() => openBooks(app));
  let path: string;

  before(async () => {
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, address: 'Calle Mayor 1', zipCode: '28001', city: 'Madrid' });
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-01-01', rate: 1.25 });
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    const partner = await books.make('/api/partners', { name: 'Acme', groupId, nif: 'A58818501', currency: 'USD' });
    const invoice = await books.make<Answer['body']>('/api/sales/invoices', {
      partnerId: partner.id,
      billingAddress: { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid', countryCode: 'ES' },
      lines: [
        { description: 'Transporte', quantity: 1, price: 100 },
        { description: 'Portes', quantity: 3, price: 33.33 },
      ],
    });
    assert.equal(invoice.currency, 'USD');
    path = `/api/sales/invoices/${invoice.id}`;
    await books.make(`${path}/post`);
  });

  it('state the tax in both, by the rules of EN 16931', async () => {
    for (const [format, elements] of [
      ['ubl', ['<cbc:TaxCurrencyCode>EUR<', '<cbc:TaxAmount currencyID="EUR">33.60<', 'currencyID="USD">42.00<']],
      ['cii', ['<ram:TaxCurrencyCode>EUR<', '<ram:TaxTotalAmount currencyID="EUR">33.60<']],
    ] as const) {
      const xml = String((await app.client.get(`${path}/${format}`)).body);
      for (const element of elements) assert.ok(xml.includes(element), `${format}: ${element}\n${xml}`);
      assert.deepEqual(brokenRules(format, xml).fatal, [], format);
    }
  });

  it('are no Facturae, which is written for euros only', async () => {
    assertProblem(await app.client.get(`${path}/facturae?signed=false`), 422, 'validation_failed');
  });
});
