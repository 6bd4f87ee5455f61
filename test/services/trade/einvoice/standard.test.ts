import assert from 'node:assert/strict';
import { ciiFile, ublFile } from '../../../../services/trade/einvoice/en16931/files.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { type IssuedKind, issueAllKinds } from '../../../helpers/invoice-kinds.ts';
import { brokenRules } from '../../../helpers/invoice-rules.ts';
import { schemaFault } from '../../../helpers/xml-schemas.ts';

describe('sales invoices by EN 16931', function () {
  this.timeout(300_000);
  const company = useCompany({ sound: false });
  let kinds: readonly IssuedKind[];
  let spanish: readonly IssuedKind[];
  before(async () => {
    ({ common: kinds, spanish } = await issueAllKinds(company));
  });
  const ubl = (id: string) => company.run((trx) => ublFile(trx, id));
  const cii = (id: string) => company.run((trx) => ciiFile(trx, id));
  const named = (name: string) => kinds.find((kind) => kind.name === name)?.id ?? assert.fail(name);

  it('are valid UBL and break no rule, whatever their kind', async () => {
    assert.ok(kinds.length >= 40, `${kinds.length}`);
    for (const { name, id } of kinds) {
      const { content } = await ubl(id);
      const root = content.includes('<CreditNote') ? 'CreditNote' : 'Invoice';
      assert.equal(schemaFault(root, content), null, `${name}: ${content}`);
      assert.deepEqual(brokenRules('ubl', content).fatal, [], `${name}: ${content}`);
    }
  });

  it('are valid CII and break no rule, whatever their kind', async () => {
    for (const { name, id } of kinds) {
      const { content } = await cii(id);
      assert.equal(schemaFault('CrossIndustryInvoice', content), null, `${name}: ${content}`);
      assert.deepEqual(brokenRules('cii', content).fatal, [], `${name}: ${content}`);
    }
  });

  it('are held against rules that find what is wrong', async () => {
    const { content } = await ubl(named('21 %'));
    const wrong = content.replace(/(<cbc:PayableAmount[^>]*>)[^<]*/, '$1999.00');
    assert.match(brokenRules('ubl', wrong).fatal.join(), /BR-CO-16/);
    assert.match(schemaFault('Invoice', content.replaceAll('cbc:IssueDate', 'cbc:IssuedOn')) ?? '', /IssuedOn/);
  });

  it('are credit notes with positive amounts where they take back', async () => {
    const { content } = await ubl(named('taken back'));
    assert.match(content, /<CreditNote .*<cbc:CreditNoteTypeCode>381</s);
    assert.match(content, /<cbc:PayableAmount currencyID="EUR">352.00</);
    assert.match(content, /<cac:BillingReference>/);
  });

  it('say why no VAT is charged', async () => {
    const { content } = await ubl(named('goods to the EU'));
    assert.match(content, /<cbc:ID>K<\/cbc:ID><cbc:Percent>0<\/cbc:Percent><cbc:TaxExemptionReasonCode>VATEX-EU-IC</);
    assert.match(content, /art\. 25/);
  });

  it('have the identifiers of Peppol if they are for its network', async () => {
    const forPeppol = (id: string) => company.run((trx) => ublFile(trx, id, true));
    const refused = async (id: string, ...expected: string[]) =>
      assert.rejects(forPeppol(id), ({ errors }: { errors: { pointer: string }[] }) => {
        assert.deepEqual(
          errors.map(({ pointer }) => pointer),
          expected,
        );
        return true;
      });
    const sold = named('discounted to the EU');
    await refused(sold, '/reference');
    await refused(named('goods exported'), '/partnerId', '/reference');
    await company.run((trx) => trx('documents').where({ id: sold }).update({ reference: 'PO-77' }));
    const { content } = await forPeppol(sold);
    assert.equal(schemaFault('Invoice', content), null, content);
    assert.deepEqual(brokenRules('ubl', content).fatal, []);
    const identifiers = [...content.matchAll(/<cbc:(?:CustomizationID|ProfileID|EndpointID schemeID="\d+")>([^<]+)/g)];
    assert.deepEqual(
      identifiers.map(([, text]) => text),
      [
        'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
        'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
        'ESB12345674',
        'DE111111125',
      ],
    );
    assert.match(content, /schemeID="9920">ESB.*schemeID="9930">DE/s);
    assert.match(content, /<cbc:BuyerReference>PO-77</);
  });

  it('are refused where the standard has no words for them', async () => {
    const pointers: Record<string, string> = {};
    for (const { name, id } of spanish) {
      await assert.rejects(ubl(id), (error: { code: string; errors: { pointer: string; code: string }[] }) => {
        assert.equal(error.code, 'validation_failed');
        assert.equal(error.errors[0]?.code, 'not_expressible');
        pointers[name] = error.errors[0]?.pointer ?? '';
        return true;
      });
    }
    assert.deepEqual(pointers, {
      withholding: '/withholdingRate',
      'withholding of a line': '/withholdingRate',
      surcharge: '/vatRegime',
      'withholding replaced': '/withholdingRate',
      'withholding taken back': '/withholdingRate',
    });
  });
});
