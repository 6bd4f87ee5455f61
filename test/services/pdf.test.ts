import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pino } from 'pino';
import type { DocType } from '../../domain/documents/types.ts';
import { postInvoice } from '../../services/documents/actions.ts';
import { createDocument } from '../../services/documents/create.ts';
import { documentView } from '../../services/pdf/document-view.ts';
import { formatsFor } from '../../services/pdf/format.ts';
import { renderDocument } from '../../services/pdf/render.ts';
import { replaceSettings } from '../../services/settings/settings.ts';
import { Browser } from '../../worker/browser.ts';
import { type TestCompany, testCompany } from '../helpers/company.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { testChromium } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

describe('PDFs of documents', function () {
  this.timeout(60_000);
  let company: TestCompany;
  let browser: Browser;

  before(async () => {
    company = await testCompany();
    browser = new Browser(testChromium, pino({ level: 'silent' }));
  });
  after(async () => {
    await browser.close();
    await company.close();
  });

  function create(docType: DocType, lines: Record<string, unknown>[], header: Record<string, unknown> = {}) {
    const { ctx, customerId } = company;
    return company.run((trx) =>
      createDocument(trx, ctx, docType, { partnerId: customerId, ...header, lines } as never),
    );
  }
  async function page(documentId: unknown) {
    const { view } = await company.run((trx) => documentView(trx, String(documentId)));
    return { view, ...(await renderDocument(view)) };
  }
  const line = (values: Record<string, unknown> = {}) => ({
    itemId: company.itemId,
    quantity: 2,
    price: 1234.5,
    ...values,
  });

  it('shows company, partner, lines, taxes and totals in the language of the company', async () => {
    const invoice = await create('SINV', [line({ discountPercent: 10 }), line({ quantity: 1.5, price: 0.125 })], {
      notes: 'Pago a 30 días',
    });
    const { html, footer } = await page(invoice.id);
    const texts = [
      'Frutas García',
      'B12345674',
      'Café Central',
      'Factura',
      'borrador',
      '1.234,500',
      '0,125',
      '10 %',
      '2.222,10',
      'IVA21',
      'Pago a 30 días',
    ];
    for (const text of texts) assert.ok(html.includes(text), text);
    assert.match(html, /class="watermark"><span>BORRADOR</);
    assert.match(footer, /Página <span class="pageNumber">/);
  });

  it('has the legal number and no watermark once posted', async () => {
    await company.stockUp(company.itemId, 100);
    const invoice = await create('SINV', [line()]);
    const posted = await company.run((trx) => postInvoice(trx, company.ctx, String(invoice.id), { ifMatch: null }));
    const { html } = await page(invoice.id);
    assert.ok(html.includes(String(posted.code)));
    assert.doesNotMatch(html, /class="watermark"/);
  });

  it("is in English for a partner who reads it, with the company's precision", async () => {
    await company.run(async (trx) => {
      await trx('partners').where({ id: company.customerId }).update({ language: 'en' });
      await replaceSettings(trx, company.ctx, 'format', { decimalPrecision: 3 });
    });
    const invoice = await create('SINV', [line()]);
    const { html, footer } = await page(invoice.id);
    for (const text of ['<html lang="en"', 'Invoice', '1,234.500', '>DRAFT<', 'Taxable base'])
      assert.ok(html.includes(text), text);
    assert.match(footer, /Page .* of /s);
    await company.run(async (trx) => {
      await trx('partners').where({ id: company.customerId }).update({ language: null });
      await replaceSettings(trx, company.ctx, 'format', {});
    });
  });

  it('leaves the watermark out where the company does not want it', async () => {
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', { watermarkDraft: false }));
    const invoice = await create('SINV', [line()]);
    assert.doesNotMatch((await page(invoice.id)).html, /class="watermark"/);
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', {}));
  });

  it('never takes text for markup', async () => {
    const order = await create('SO', [line({ description: '<script>alert(1)</script> {{ company }}' })], {
      notes: '"><img src=x onerror=alert(1)>',
    });
    const { html } = await page(order.id);
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt; {{ company }}'));
    assert.doesNotMatch(html, /<script|<img/);
  });

  it('prints several hundred lines on several pages, each with head, foot and watermark', async () => {
    const lines = Array.from({ length: 300 }, (_, index) =>
      line({
        quantity: index + 1,
        price: 10 + index / 8,
        description: `Artículo ${index + 1}${' con una descripción larga'.repeat(index % 4)}`,
      }),
    );
    const invoice = await create('SINV', lines);
    const { html, footer } = await page(invoice.id);
    const pdf = Buffer.from(await browser.print({ html, footer }));
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
    assert.ok(pages >= 8 && pages <= 16, `${pages} pages`);
  });

  it('fetches nothing and runs no script while printing', async () => {
    const receiver = await startReceiver();
    const html = `<body><img src="${receiver.url}/image"><iframe src="${receiver.url}/frame"></iframe>
      <link rel="stylesheet" href="${receiver.url}/style"><script>fetch('${receiver.url}/script')</script>text`;
    const pdf = Buffer.from(await browser.print({ html, footer: '<span></span>' }));
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(receiver.received, []);
    await receiver.close();
  });

  it('is printed again after the browser died', async () => {
    const print = () => browser.print({ html: '<p>text', footer: '<span></span>' });
    await print();
    const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, parent, program]) => Number(parent) === process.pid && /chrom/i.test(program ?? ''));
    assert.equal(children.length, 1);
    process.kill(Number(children[0]?.[0]), 'SIGKILL');
    await eventually(async () => assert.ok((await print()).length > 500, 'a PDF is printed'));
  });

  it('formats exactly what binary numbers cannot hold', () => {
    const settings = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 };
    const formats = formatsFor(settings, null);
    assert.equal(formats.money('12345678901234.565'), '12.345.678.901.234,57');
    assert.equal(formats.money('-0.005'), '-0,01');
    assert.deepEqual(formats.prices(['1', '1.000001']), ['1,000000', '1,000001']);
    assert.equal(formats.day('2026-02-03'), '03/02/2026');
    assert.equal(formatsFor(settings, 'en').day('2026-02-03'), '03 Feb 2026');
    assert.equal(formatsFor(settings, 'not a language').language, 'es');
  });
});
