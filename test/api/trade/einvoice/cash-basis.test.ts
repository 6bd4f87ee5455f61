import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { brokenRules } from '../../../helpers/invoice-rules.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../documents/trade.ts';

/** Electronic invoices under the cash basis say that their VAT is due as it is paid (decision 0345). */
describe('electronic invoices under the cash basis', function () {
  this.timeout(120_000);
  const app = useApp();
  use(() => openTrade(app, 0));
  const books = use(() => openBooks(app));
  let path: string;

  before(async () => {
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, address: 'Calle Mayor 1', zipCode: '28001', city: 'Madrid' });
    const { data } = (await app.client.get('/api/config/tax')).body;
    await app.client.put('/api/config/tax', { ...data, cashBasisYears: [2026] });
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    const partner = await books.make('/api/partners', { name: 'Acme', groupId, nif: 'A58818501' });
    const invoice = await books.make('/api/sales/invoices', {
      partnerId: partner.id,
      billingAddress: { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid', countryCode: 'ES' },
      lines: [{ description: 'Transporte', quantity: 1, price: 100 }],
    });
    path = `/api/sales/invoices/${invoice.id}`;
    await books.make(`${path}/post`);
  });

  it('state it in the words of the law, and by the codes of EN 16931', async () => {
    for (const [format, elements] of [
      ['ubl', ['<cac:InvoicePeriod><cbc:DescriptionCode>432<', 'Régimen especial del criterio de caja']],
      ['cii', ['<ram:DueDateTypeCode>72<', 'Régimen especial del criterio de caja']],
      ['facturae?signed=false', ['<LegalReference>Régimen especial del criterio de caja</LegalReference>']],
    ] as const) {
      const xml = String((await app.client.get(`${path}/${format}`)).body).replaceAll(/>\s+</g, '><');
      for (const element of elements) assert.ok(xml.includes(element), `${format}: ${element}\n${xml}`);
      if (format === 'ubl' || format === 'cii') assert.deepEqual(brokenRules(format, xml).fatal, [], format);
    }
  });
});
