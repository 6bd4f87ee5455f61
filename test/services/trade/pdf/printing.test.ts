import assert from 'node:assert/strict';
import { pino } from 'pino';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { documentView } from '../../../../services/trade/pdf/document-view.ts';
import { normalizePdf } from '../../../../services/trade/pdf/normalize-pdf.ts';
import { renderDocument } from '../../../../services/trade/pdf/render.ts';
import { Browser } from '../../../../worker/browser.ts';
import { issueInvoice } from '../../../helpers/agency.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { pageQr } from '../../../helpers/pdf-qr.ts';
import { pdfPages } from '../../../helpers/pdf-text.ts';
import { startReceiver } from '../../../helpers/receiver.ts';
import { testChromium } from '../../../helpers/servers.ts';

type Row = Record<string, unknown>;

describe('documents as PDF', function () {
  this.timeout(60_000);
  const browser = new Browser(testChromium, pino({ level: 'silent' }));

  const company = useCompany();
  after(async () => {
    await browser.close();
  });

  /** A new document as it is given to the printer. */
  async function page(docType: 'SO' | 'SINV', lines: Row[], header: Row = {}, logo: string | null = null) {
    const { ctx, customerId } = company;
    return await company.run(async (trx) => {
      const document = await createDocument(trx, ctx, docType, { partnerId: customerId, ...header, lines } as never);
      return renderDocument((await documentView(trx, String(document.id))).view, logo);
    });
  }
  /** The pages of a new document, as texts. */
  async function printed(...document: Parameters<typeof page>): Promise<string[]> {
    return pdfPages(await browser.print(await page(...document)));
  }
  const line = (values: Row = {}) => ({ itemId: company.itemId, quantity: 2, price: 1234.5, ...values });

  it('are one page with everything on it when they are short', async () => {
    const [page = '', ...others] = await printed('SINV', [line()]);
    assert.deepEqual(others, []);
    for (const text of [
      'Frutas García',
      'Café Central',
      'Factura borrador',
      '2.469,00',
      '2.987,49 €',
      'Página 1 de 1',
    ]) {
      assert.ok(page.includes(text), `${text} is in ${page}`);
    }
  });

  it('of a thousand lines have head, foot, number and watermark on every page, and no line in two', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) =>
      line({
        quantity: 1,
        price: 1,
        description: `<${index + 1}>${' y una descripción larga'.repeat(index % 6)}<end>`,
      }),
    );
    const pages = await printed('SINV', lines, { notes: 'Última nota' });
    assert.ok(pages.length >= 15 && pages.length <= 50, `${pages.length} pages`);
    pages.forEach((page, index) => {
      for (const text of ['DESCRIPCIÓN', 'CANTIDAD', 'BORRADOR', `Página ${index + 1} de ${pages.length}`]) {
        assert.ok(page.includes(text), `page ${index + 1} has ${text}: ${page}`);
      }
      assert.equal(page.split('<end>').length, page.split(/<\d+>/).length, `page ${index + 1} has whole lines`);
    });
    const numbers = pages.flatMap((page) => [...page.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number)));
    assert.deepEqual(
      numbers,
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
    assert.match(pages.at(-1) ?? '', /1\.210,00 €.*Última nota/);
  });

  it('keep notes with the totals, and these with a line, however the page ends', async () => {
    const notes = {
      short: 'Nota corta.',
      some: `Nota ${'y otra frase más '.repeat(40)}`,
      long: `Nota ${'sin fin '.repeat(480)}`,
    };
    for (const [kind, text] of Object.entries(notes)) {
      for (const count of [5, 18, 19, 20, 21, 24, 28, 29, 30, 40]) {
        const lines = Array.from({ length: count }, (_, index) => line({ description: `<${index + 1}>` }));
        const pages = await printed('SINV', lines, { notes: text });
        const at = pages.findIndex((page) => page.includes('NOTAS'));
        const [page = ''] = pages.slice(at);
        const said = `${kind} notes below ${count} lines`;
        assert.ok(page.includes('Base imponible') && page.includes(`<${count}>`), said);
        assert.ok(kind === 'long' || at === pages.length - 1, `${said} end with the page`);
      }
    }
  });

  it('wrap what is long and keep figures of every length on the page', async () => {
    const pages = await printed(
      'SO',
      [line({ description: 'sinespacios'.repeat(100) }), line({ quantity: 99999.99, price: 999999.999999 })],
      { notes: 'Nota '.repeat(799), reference: 'R'.repeat(200) },
    );
    const text = pages.join(' ');
    assert.equal(text.replaceAll(' ', '').split('sinespacios').length - 1, 100);
    assert.equal(text.split('Nota').length - 1, 799);
    for (const figure of ['99.999,99', '999.999,999999', '99.999.989.999,90']) assert.ok(text.includes(figure), figure);
  });

  it('have the logo in the head, also a drawing, of which nothing runs or is fetched', async () => {
    const images = (pdf: Uint8Array) => Buffer.from(pdf).toString('latin1').split('/Subtype /Image').length - 1;
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const print = async (logo: string | null) => browser.print(await page('SO', [line()], {}, logo));
    assert.equal(images(await print(null)), 0);
    assert.ok(images(await print(`data:image/png;base64,${png}`)) > 0, 'the image is in the PDF');
    const receiver = await startReceiver();
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="50"
      onload="fetch('${receiver.url}')"><script>fetch('${receiver.url}')</script><image xlink:href="${receiver.url}/image"
      width="9" height="9"/><text y="20">Marca</text></svg>`;
    const pdf = await print(`data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`);
    assert.match((await pdfPages(pdf)).join(), /Marca/);
    assert.deepEqual(receiver.received, []);
    await receiver.close();
  });

  it('are the same bytes whenever a page is printed', async () => {
    const one = await page(
      'SO',
      Array.from({ length: 60 }, () => line()),
    );
    await browser.print(await page('SO', [line()]));
    const [first, second] = [await browser.print(one), await browser.print(one)].map((pdf) =>
      Buffer.from(normalizePdf(pdf, '2026-06-15T10:20:30.456Z')),
    ) as [Buffer, Buffer];
    assert.ok(first.equals(second), 'both are the same');
    assert.ok(first.includes("/CreationDate (D:20260615102030+00'00')"), 'the date is the given one');
    assert.ok((await pdfPages(first)).length > 1, 'it can still be read');
  });

  it('show the scripts of Europe', async () => {
    const description = 'Łódź Őrség ğışÇ Ελληνικά Жирный Љубав “€” №';
    const [page = ''] = await printed('SO', [line({ description })]);
    assert.ok(page.includes(description), page);
  });

  it('have the code by which an invoice with a record is looked up, where and as large as the order wants it', async () => {
    const { ctx } = company;
    await company.run((trx) => replaceVerifactuSettings(trx, ctx, { enabled: true }, null));
    const id = await issueInvoice(company, ctx.now);
    const [record] = await company.rows(`select record->'invoice'->>'number' as number from verifactu_records`, []);
    const print = async () =>
      browser.print(await company.run(async (trx) => renderDocument((await documentView(trx, id)).view, null)));
    const pdf = await print();
    const found = await pageQr(pdf);
    assert.ok(found !== null);
    assert.equal(
      found.text,
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674' +
        `&numserie=${encodeURIComponent(String(record?.number))}&fecha=15-06-2026&importe=12.10`,
    );
    assert.ok(found.side >= 30 && found.side <= 40, `${found.side} mm`);
    assert.ok(found.quiet >= 2, `${found.quiet} mm of white`);
    assert.ok(Math.abs(found.middle - found.pageWidth / 2) < 2, `${found.middle} mm from the left`);
    const [first = '', ...others] = await pdfPages(pdf);
    assert.match(first, /^ ?QR tributario: Factura veri ?fi ?cable en la sede electrónica de la AEAT/);
    assert.deepEqual(others, []);
    const draft = await browser.print(await page('SINV', [line()]));
    assert.equal(await pageQr(draft), null);
  });
});
