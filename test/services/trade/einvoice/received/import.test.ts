import assert from 'node:assert/strict';
import { Partner, Tax } from '../../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../../db/write.ts';
import { ROLES } from '../../../../../domain/permissions.ts';
import { loadSettings, replaceSettings } from '../../../../../services/platform/settings/settings.ts';
import { ciiFile, ublFile } from '../../../../../services/trade/einvoice/en16931/files.ts';
import { facturaeFile } from '../../../../../services/trade/einvoice/facturae/file.ts';
import { importInvoice } from '../../../../../services/trade/einvoice/received/import.ts';
import { certify, startTestAgency } from '../../../../helpers/agency.ts';
import { use, useCompany, useOtherCompany } from '../../../../helpers/hooks.ts';
import { type IssuedKind, issueAllKinds } from '../../../../helpers/invoice-kinds.ts';
import { pdfWithFile } from '../../../../helpers/pdf-with-file.ts';
import { ENCRYPTION_KEY } from '../../../../helpers/worker.ts';

describe("suppliers' invoices from their files", function () {
  this.timeout(180_000);
  const seller = useCompany({ sound: false });
  const buyer = useOtherCompany(seller);
  let kinds: readonly IssuedKind[];
  let spanish: readonly IssuedKind[];
  let vendorId: string;

  before(async () => {
    ({ common: kinds, spanish } = await issueAllKinds(seller));
    await buyer.run(async (trx) => {
      const [vendor] = await Partner.query(trx).where({ code: 'P1' });
      vendorId = vendor?.id ?? '';
      await trx('partners').where({ id: vendorId }).update({ nif: 'B12345674' });
      const free = { rate: '0', surchargeRate: '0' } as const;
      await insertRow(trx, buyer.ctx, Tax, { ...free, code: 'IVA00', name: 'Tipo cero', kind: 'vat' });
      await insertRow(trx, buyer.ctx, Tax, { ...free, code: 'NS', name: 'No sujeto', kind: 'not_subject' });
    });
  });
  /** The buyer becomes the one that a file names. */
  const addressTo = (taxId: string) =>
    buyer.run(async (trx) => {
      const company = await loadSettings(trx, 'company');
      await replaceSettings(trx, buyer.ctx, 'company', { ...company, taxId });
    });
  const deps = () => ({ database: buyer.database, store: null, maxTotalBytes: 100_000_000 });
  const member = { role: 'owner', permissions: ROLES.owner.permissions };
  const enter = (content: string | Uint8Array, more: { createPartner?: boolean; name?: string } = {}) =>
    importInvoice(deps(), buyer.ctx, member, {
      name: 'factura.xml',
      content: typeof content === 'string' ? Buffer.from(content) : content,
      createPartner: false,
      ...more,
    });
  const refused = (pointer: string, code: string) => (error: { errors: { pointer: string; code: string }[] }) => {
    assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.code], [pointer, code]);
    return true;
  };
  const remove = (id: string) =>
    buyer.run(async (trx) => {
      await trx('document_instalments').where({ document_id: id }).delete();
      await trx('document_taxes').where({ document_id: id }).delete();
      await trx('document_lines').where({ document_id: id }).delete();
      await trx('documents').where({ id }).delete();
    });
  const taxIdWithin = (xml: string) =>
    /AccountingCustomerParty.*?<cbc:CompanyID>(?:ES)?(\w+)</s.exec(xml)?.[1] ??
    /BuyerTradeParty.*?schemeID="VA">(?:ES)?(\w+)</s.exec(xml)?.[1] ??
    /BuyerTradeParty.*?<ram:ID>(\w+)</s.exec(xml)?.[1] ??
    /BuyerParty.*?<TaxIdentificationNumber>(\w+)</s.exec(xml)?.[1];

  it('become drafts that are worth what the files state, whatever kind and format', async () => {
    const writers = {
      facturae: (id: string) => seller.run((trx) => facturaeFile(trx, seller.ctx, id, null)),
      ubl: (id: string) => seller.run((trx) => ublFile(trx, id)),
      cii: (id: string) => seller.run((trx) => ciiFile(trx, id)),
    };
    let entered = 0;
    for (const [format, write] of Object.entries(writers)) {
      for (const { name, id } of format === 'facturae' ? [...kinds, ...spanish] : kinds) {
        // The buyer is Spanish, and prices of others are in the buyer's own tax.
        if (/EU|abroad|export|E5|surcharge/.test(name)) continue;
        const { content } = await write(id);
        await addressTo(taxIdWithin(content) ?? assert.fail(content));
        if (/taken back/.test(name)) {
          await assert.rejects(enter(content), refused('/type', 'credit_note'));
          continue;
        }
        const { document, report } = await enter(content);
        assert.equal(document.total, report.stated.payable, `${name} as ${format}: ${JSON.stringify(document)}`);
        assert.equal(document.subtotal, report.stated.net, `${name} as ${format}`);
        assert.equal(report.format, format);
        assert.deepEqual([document.partner.id, document.status], [vendorId, 'D']);
        entered += 1;
        await remove(document.id);
      }
    }
    assert.ok(entered > 90, `${entered}`);
  });

  it('have the file attached, and are entered once', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[0]?.id ?? ''));
    await addressTo('A58818501');
    const { document } = await enter(content, { name: 'F-1.xml' });
    const files = await buyer.rows('select name, entity_type, size from attachments where entity_id = ?', [
      document.id,
    ]);
    assert.deepEqual(files, [{ name: 'F-1.xml', entity_type: 'PurchaseInvoice', size: Buffer.byteLength(content) }]);
    await assert.rejects(enter(content), { code: 'duplicate' });
    const count = await buyer.rows('select count(*)::integer as n from attachments');
    assert.deepEqual(count, [{ n: 1 }]);
    await remove(document.id);
  });

  it('are found within a PDF', async () => {
    const { content } = await seller.run((trx) => ciiFile(trx, kinds[0]?.id ?? ''));
    await addressTo('A58818501');
    const { document, report } = await enter(pdfWithFile('factur-x.xml', content), { name: 'factura.pdf' });
    assert.deepEqual([report.format, document.total], ['cii', report.stated.payable]);
    await remove(document.id);
    await assert.rejects(enter(pdfWithFile('other.xml', content), { name: 'f.pdf' }), refused('', 'invalid_format'));
    await assert.rejects(enter('%PDF-1.7 nothing', { name: 'f.pdf' }), refused('', 'invalid_format'));
  });

  it('name their supplier, who becomes a partner if that is wanted', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[1]?.id ?? ''));
    const other = content.replaceAll('B12345674', 'B82846817').replaceAll('Frutas García', 'Nuevo Proveedor SL');
    await assert.rejects(enter(other), refused('/seller', 'unknown_partner'));
    const viewer = { role: 'viewer', permissions: ROLES.viewer.permissions };
    const file = { name: 'f.xml', content: Buffer.from(other), createPartner: true };
    await assert.rejects(importInvoice(deps(), buyer.ctx, viewer, file), { code: 'forbidden' });
    const { document, report } = await enter(other, { createPartner: true });
    assert.equal(report.partnerCreated, true);
    assert.equal(document.partner.nif, 'B82846817');
    await remove(document.id);
  });

  it('are refused if they are to somebody else, or in another currency', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[1]?.id ?? ''));
    await addressTo('B82846817');
    await assert.rejects(enter(content), refused('/buyer', 'not_ours'));
    await addressTo('A58818501');
    await assert.rejects(enter(content.replaceAll('>EUR<', '>USD<')), refused('/currency', 'other_currency'));
    await assert.rejects(enter(content.replaceAll('>10<', '>7<')), refused('/lines/0/taxRate', 'unknown_tax'));
  });

  it('bring nothing that a request could not', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[1]?.id ?? ''));
    await addressTo('A58818501');
    const long = content.replace(/(<cbc:ID>)SINV[^<]*/, `$1${'9'.repeat(1000)}`);
    await assert.rejects(enter(long), refused('/supplierReference', 'too_long'));
    const other = content.replaceAll('B12345674', 'A28015865').replaceAll('>ES<', '>España<');
    await assert.rejects(enter(other, { createPartner: true }), { code: 'validation_failed' });
  });

  it('tell where the totals of the file and of the draft differ', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[1]?.id ?? ''));
    await addressTo('A58818501');
    const wrong = content.replace(/(<cbc:TaxInclusiveAmount[^>]*>)[^<]*/, '$1111.11');
    const { document, report } = await enter(wrong);
    assert.deepEqual(
      report.warnings.map(({ code }) => code),
      ['totals_differ'],
    );
    await remove(document.id);
  });

  it('are read in the encoding that they declare, and nothing in them is fetched or grows', async () => {
    const { content } = await seller.run((trx) => ublFile(trx, kinds[2]?.id ?? ''));
    await addressTo('A58818501');
    const latin = Buffer.from(content.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    const { document } = await enter(latin);
    assert.match(document.lines[0]?.description ?? '', /^Consultoría/);
    await remove(document.id);
    const utf16 = Buffer.from(`\uFEFF${content.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    await remove((await enter(utf16)).document.id);
    const bombs = [
      Buffer.from(content, 'latin1'),
      Buffer.from(content.replace('UTF-8', 'KLINGON')),
      Buffer.from(
        `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]><Invoice>&b;</Invoice>`,
      ),
      Buffer.from('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x"><Invoice/>'),
      Buffer.from('<Invoice>'.repeat(1_000_000)),
      Buffer.from(`<Invoice>${'<InvoiceLine/>'.repeat(600_000)}</Invoice>`),
      Buffer.from(`<Invoice a="${'x'.repeat(9_000_000)}"/>`),
      Buffer.alloc(1000),
    ];
    for (const bomb of bombs) await assert.rejects(enter(bomb), refused('', 'invalid_format'));
  });

  describe('signed', () => {
    const agency = use(() => startTestAgency(() => seller.ctx.now));
    before(() => certify(seller, agency, seller.ctx.now));

    it('are refused if they were changed afterwards', async () => {
      const [{ id }] = kinds as [IssuedKind];
      const { content } = await seller.run((trx) => facturaeFile(trx, seller.ctx, id, [ENCRYPTION_KEY]));
      await addressTo('A58818501');
      const { document, report } = await enter(content);
      assert.equal(report.signature.state, 'valid');
      assert.match(report.signature.signer ?? '', /B12345674/);
      await remove(document.id);
      const changed = content.replace('>121.00<', '>131.00<');
      await assert.rejects(enter(changed), refused('', 'invalid_signature'));
    });
  });
});
