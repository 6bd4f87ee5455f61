import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { brokenRules } from '../../../helpers/invoice-rules.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

/** Electronic invoices of companies that charge another indirect tax than VAT name it by its codes (decision 0364). */
for (const { taxSet, zipCode, code, rate, facturae, category } of [
  { taxSet: 'igic', zipCode: '35002', code: 'IGIC9.5', rate: '9.5', facturae: '03', category: 'L' },
  { taxSet: 'ipsi', zipCode: '51001', code: 'IPSI4', rate: '4', facturae: '02', category: 'M' },
]) {
  describe(`electronic invoices with ${taxSet}`, function () {
    this.timeout(120_000);
    const app = useApp();
    let path: string;

    before(async () => {
      const company = (await app.client.get('/api/company')).body;
      const moved = { ...company, address: 'Calle Real 1', zipCode, city: 'Centro', taxSet };
      assert.equal((await app.client.put('/api/company', moved)).status, 200);
      const chart = { chart: 'es-pgc-pymes', taxes: true };
      assert.equal((await app.client.post('/api/accounts/import-chart', chart)).status, 200);
      const books = await openBooks(app);
      const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
      const partner = await books.make('/api/partners', { name: 'Acme', groupId, nif: 'A58818501' });
      const [{ id: taxGroupId }] = (await app.client.get(`/api/taxes?code=${code}`)).body.data;
      const [{ id: exempt }] = (await app.client.get(`/api/taxes?code=${taxSet.toUpperCase()}EX`)).body.data;
      const invoice = await books.make('/api/sales/invoices', {
        partnerId: partner.id,
        billingAddress: { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid', countryCode: 'ES' },
        lines: [
          { description: 'Transporte', quantity: 1, price: 100, taxGroupId },
          { description: 'Seguro', quantity: 1, price: 10, taxGroupId: exempt },
        ],
      });
      path = `/api/sales/invoices/${invoice.id}`;
      await books.make(`${path}/post`);
    });

    it('name it by its codes, and keep the rules of EN 16931', async () => {
      const name = taxSet.toUpperCase();
      for (const [format, elements] of [
        ['ubl', [`<cbc:ID>${category}</cbc:ID><cbc:Percent>${rate}<`, `Operación exenta de ${name}<`]],
        ['cii', [`<ram:CategoryCode>${category}<`]],
        ['facturae?signed=false', [`<TaxTypeCode>${facturae}<`, `${facturae} Operación exenta de ${name}<`]],
      ] as const) {
        const xml = String((await app.client.get(`${path}/${format}`)).body).replaceAll(/>\s+</g, '><');
        for (const element of elements) assert.ok(xml.includes(element), `${format}: ${element}\n${xml}`);
        if (format === 'ubl' || format === 'cii') assert.deepEqual(brokenRules(format, xml).fatal, [], format);
      }
    });
  });
}
