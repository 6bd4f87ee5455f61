import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/purchases/invoices/import';
const FIXTURES = new URL('../../../domain/trade/einvoice/received/fixtures/', import.meta.url);

describe("api: suppliers' invoices from their files", () => {
  const app = useApp();
  const xml = readFileSync(new URL('cii-en16931-invoice.xml', FIXTURES), 'utf8')
    .replaceAll('202611', '202605')
    .replaceAll('202612', '202606');

  before(async () => {
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, taxId: 'A58818501' });
  });
  const send = (content: string | Uint8Array, query = '', type = 'application/xml') =>
    app.client.post(`${PATH}${query}`, content, { 'Content-Type': type });
  const faults = (body: { errors: readonly { pointer: string; code: string }[] }) =>
    body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

  it('become drafts with their file, once', async () => {
    const unknown = await send(xml);
    assertProblem(unknown, 422, 'validation_failed');
    assert.deepEqual(faults(unknown.body), ['/seller unknown_partner']);
    assert.match(unknown.body.detail, /Ejemplo Servicios SL \(B12345674\).*createPartner=true/);
    const made = await send(xml, '?createPartner=true&name=A26-0001.xml');
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { data, import: report } = made.body;
    assert.equal(made.headers.get('location'), `/api/purchases/invoices/${data.id}`);
    assert.deepEqual(
      [data.status, data.supplierReference, data.total, data.documentDate],
      ['D', 'A26-0001', 121, '2026-05-20'],
    );
    assert.deepEqual(report, {
      format: 'cii',
      signature: { state: 'none', signer: null },
      partnerCreated: true,
      stated: { net: 100, tax: 21, payable: 121 },
      warnings: [],
    });
    const files = await app.client.get(`/api/files?entityType=PurchaseInvoice&entityId=${data.id}`);
    const [file] = files.body.data;
    assert.equal(file.name, 'A26-0001.xml');
    assert.equal(String((await app.client.get(`/api/files/${file.id}`)).body), xml);
    const again = await send(xml);
    assertProblem(again, 409, 'duplicate');
  });

  it('are refused as what they are', async () => {
    for (const [content, fault] of [
      ['<Invoice', ' invalid_format'],
      ['<!DOCTYPE a [<!ENTITY b "c">]><Invoice>&b;</Invoice>', ' invalid_format'],
      [xml.replaceAll('ESA58818501', 'ESB82846817'), '/buyer not_ours'],
      [xml.replace('>380<', '>381<'), '/type credit_note'],
      [xml.replaceAll('>21<', '>23<'), '/lines/0/taxRate unknown_tax'],
    ] as const) {
      const refused = await send(content, '?createPartner=true');
      assertProblem(refused, 422, 'validation_failed');
      assert.deepEqual(faults(refused.body), [fault]);
    }
    assertProblem(await send('{}', '', 'application/json'), 415, 'unsupported_media_type');
    const { body } = await app.client.get('/api/purchases/invoices');
    assert.equal(body.data.length, 1);
  });
});
