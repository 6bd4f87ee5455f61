import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readInvoice } from '../../../../../domain/trade/einvoice/received/read.ts';
import { UnreadableInvoice } from '../../../../../domain/trade/einvoice/received/received.ts';

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

describe('invoices of other programs', () => {
  it('are read from Facturae', () => {
    const invoice = readInvoice(read('facturae-invoice-signed.xsig'));
    assert.deepEqual(
      [
        invoice.number,
        invoice.date,
        invoice.operationDate,
        invoice.dueDate,
        invoice.currency,
        invoice.lines[0]?.withholdingRate,
      ],
      ['F26-0007', '2026-11-20', '2026-11-15', '2026-12-20', 'EUR', '15'],
    );
    assert.deepEqual([invoice.seller.name, invoice.seller.taxIds], ['Ana Ejemplo Prueba', ['12345678Z']]);
    assert.deepEqual(
      [invoice.buyer.taxIds, invoice.buyer.country, invoice.buyer.city],
      [['P2807900B'], 'ES', 'Madrid'],
    );
    assert.deepEqual(
      invoice.lines.map(({ quantity, price, discountPercent, amount, taxRate, treatment }) => [
        ...[quantity, price, discountPercent, amount, taxRate, treatment],
      ]),
      [
        ['10', '50', '10', '450', '21', 'taxed'],
        ['1', '100', '0', '100', '0', 'exempt'],
      ],
    );
    assert.deepEqual(invoice.totals, { net: '550', tax: '94.5', payable: '562' });
    const corrective = readInvoice(read('facturae-corrective-unsigned.xml'));
    assert.deepEqual([corrective.isCredit, corrective.rectified], [true, 'F26-0007']);
  });

  it('are read from UBL', () => {
    const invoice = readInvoice(read('ubl-peppol-invoice.xml'));
    assert.deepEqual(
      [invoice.number, invoice.dueDate, invoice.reference, invoice.seller.taxIds, invoice.buyer.country],
      ['A26-0004', '2026-12-20', 'PO-77', ['ESB12345674', 'B12345674'], 'DE'],
    );
    const [line] = invoice.lines;
    assert.deepEqual([line?.discountPercent, line?.amount, line?.treatment], ['5', '950', 'intra_eu']);
    assert.deepEqual(invoice.totals, { net: '950', tax: '0', payable: '950' });
  });

  it('are read from CII', () => {
    const invoice = readInvoice(read('cii-en16931-invoice.xml'));
    assert.deepEqual([invoice.number, invoice.date, invoice.dueDate], ['A26-0001', '2026-11-20', '2026-12-20']);
    assert.deepEqual([invoice.buyer.name, invoice.buyer.taxIds], ['Cliente de Ejemplo SA', ['ESA58818501']]);
    assert.deepEqual(invoice.totals, { net: '100', tax: '21', payable: '121' });
  });

  it('have discounts and charges on the whole as lines', () => {
    const charge = `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>
      <cbc:AllowanceChargeReason>Rappel</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">20</cbc:Amount>
      <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent></cac:TaxCategory></cac:AllowanceCharge>`;
    const invoice = readInvoice(read('ubl-peppol-invoice.xml').replace('<cac:TaxTotal>', `${charge}<cac:TaxTotal>`));
    const last = invoice.lines.at(-1);
    assert.deepEqual(
      [last?.description, last?.price, last?.taxRate, last?.treatment],
      ['Rappel', '-20', '21', 'taxed'],
    );
  });

  it('are refused in words where they are none, or not whole', () => {
    const ubl = read('ubl-peppol-invoice.xml');
    const facturae = read('facturae-invoice-signed.xsig');
    for (const [xml, words] of [
      ['', /no well-formed XML|no element/],
      ['<a>', /no well-formed XML/],
      ['<Order/>', /is Order, which is no known invoice/],
      ['<constructor/>', /is constructor, which is no known invoice/],
      ['<toString/>', /is toString, which is no known invoice/],
      ['<!DOCTYPE a [<!ENTITY b "c">]><Invoice/>', /DOCTYPE/],
      [`<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">${ubl.slice(ubl.indexOf('<Invoice'))}`, /DOCTYPE/],
      ['<a>'.repeat(100), /nested too deep/],
      [ubl.replace('2026-11-20', '2026-13-20'), /IssueDate 2026-13-20, which is no day/],
      [ubl.replace('>10<', '>ten<'), /InvoicedQuantity ten, which is no amount/],
      [ubl.replace('>10<', '>1e400<'), /no amount/],
      [ubl.replace(/<cac:InvoiceLine>.*<\/cac:InvoiceLine>/s, ''), /has no lines/],
      [facturae.replace(/(<Invoice>.*<\/Invoice>)/s, '$1$1'), /has several invoices/],
      [facturae.replace(/<Parties>.*<\/Parties>/s, ''), /has no SellerParty/],
    ] as const) {
      assert.throws(
        () => readInvoice(xml),
        (error: Error) => error instanceof UnreadableInvoice && words.test(error.message),
        `${words}`,
      );
    }
  });

  it('may withhold several rates from nothing, and name events that there are not', () => {
    const none = (rate: string) =>
      `<Tax><TaxTypeCode>04</TaxTypeCode><TaxRate>${rate}</TaxRate><TaxableBase><TotalAmount>0.00</TotalAmount></TaxableBase></Tax>`;
    const [head = '', ...rest] = read('facturae-invoice-signed.xsig').split('<TaxesWithheld>');
    const without = [head, ...rest.map((part) => part.slice(part.indexOf('</TaxesWithheld>') + 16))];
    const [before = '', ...after] = without;
    const xml = `${before}<TaxesWithheld>${none('15')}${none('7')}</TaxesWithheld>${after.join('')}`;
    assert.equal(readInvoice(xml).withholdingRate, '0');
    const named = xml.replace('<SpecialTaxableEventCode>01<', '<SpecialTaxableEventCode>constructor<');
    assert.equal(readInvoice(named).lines[1]?.treatment, 'exempt');
  });

  it('are never misread, whatever is cut out of them', () => {
    for (const name of ['facturae-invoice-signed.xsig', 'ubl-peppol-invoice.xml', 'cii-en16931-invoice.xml']) {
      const xml = read(name);
      const elements = [...new Set([...xml.matchAll(/<((?:\w+:)?\w+)[ >]/g)].map(([, element]) => element))];
      for (const element of elements) {
        const cut = xml.replace(new RegExp(`<${element}[ >](?:(?!</${element}>)[\\s\\S])*</${element}>`), '');
        try {
          readInvoice(cut);
        } catch (error) {
          assert.ok(error instanceof UnreadableInvoice, `${name} without ${element}: ${error}`);
        }
      }
    }
  });
});
