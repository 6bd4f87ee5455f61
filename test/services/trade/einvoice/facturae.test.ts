import assert from 'node:assert/strict';
import { facturaeFile } from '../../../../services/trade/einvoice/facturae/file.ts';
import { certify, startTestAgency } from '../../../helpers/agency.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { type IssuedKind, issueAllKinds } from '../../../helpers/invoice-kinds.ts';
import { firstVerifier, secondVerifier } from '../../../helpers/signature-verifiers.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';
import { schemaFault } from '../../../helpers/xml-schemas.ts';

describe('sales invoices as Facturae', function () {
  this.timeout(120_000);
  const company = useCompany({ sound: false });
  let kinds: readonly IssuedKind[];
  before(async () => {
    const { common, spanish } = await issueAllKinds(company);
    kinds = [...common, ...spanish];
  });
  const write = (id: string, keys: readonly [string] | null = null) =>
    company.run((trx) => facturaeFile(trx, company.ctx, id, keys));
  const named = (name: string) => kinds.find((kind) => kind.name === name)?.id ?? assert.fail(name);
  const texts = (xml: string, element: string) =>
    [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text);

  it('are valid by the schema, whatever their kind, and add up', async () => {
    for (const { name, id } of kinds) {
      const { content } = await write(id);
      assert.equal(schemaFault('facturae', content), null, `${name}: ${content}`);
      const [gross = '', before, taxes, withheld, total, executable] = [
        ...['TotalGrossAmount', 'TotalGrossAmountBeforeTaxes', 'TotalTaxOutputs', 'TotalTaxesWithheld'],
        ...['InvoiceTotal', 'TotalExecutableAmount'],
      ].map((element) => texts(content, element).at(-1));
      const cents = (amount: string | undefined) => Math.round(Number(amount) * 100);
      const lines = texts(content, 'GrossAmount').reduce((sum, one) => sum + cents(one), 0);
      assert.equal(lines, cents(gross), name);
      assert.equal(before, gross, name);
      assert.equal(cents(gross) + cents(taxes) - cents(withheld), cents(total), name);
      assert.ok(executable?.endsWith('</TotalAmount>') === false && !content.includes('>-0.00<'), name);
    }
  });

  it('tell public bodies, withholding, surcharges and what is rectified', async () => {
    const town = (await write(named('public body'))).content;
    assert.deepEqual(texts(town, 'CentreCode'), ['L01280796', 'L01280796', 'LA0001234']);
    assert.deepEqual(texts(town, 'RoleTypeCode'), ['01', '02', '03']);
    const withheld = (await write(named('withholding'))).content;
    assert.equal(texts(withheld, 'TotalTaxesWithheld')[0], '30.00');
    assert.equal(texts(withheld, 'InvoiceTotal')[0], '201.00');
    const surcharged = (await write(named('surcharge'))).content;
    assert.deepEqual(texts(surcharged, 'EquivalenceSurcharge'), ['5.20', '1.40', '5.20', '1.40']);
    const back = (await write(named('taken back'))).content;
    assert.deepEqual(texts(back, 'InvoiceClass'), ['OR']);
    assert.deepEqual(texts(back, 'CorrectionMethod'), ['02']);
    const [own, rectified] = texts(back, 'InvoiceSeriesCode');
    assert.deepEqual([own !== rectified, texts(town, 'InvoiceSeriesCode')], [true, [rectified]]);
    assert.deepEqual(texts(back, 'StartDate'), ['2026-04-01']);
    assert.deepEqual(texts(back, 'InvoiceTotal'), ['-352.00']);
    const person = (await write(named('person'))).content;
    assert.match(person, /<Name>Ana María<\/Name><FirstSurname>Pérez<\/FirstSurname><SecondSurname>García</);
    const exempt = (await write(named('reason E1'))).content;
    assert.match(exempt, /<SpecialTaxableEventCode>01</);
    assert.deepEqual(texts(exempt, 'LegalReference'), ['Operación exenta de IVA (art. 20 de la Ley 37/1992)']);
    const reversed = (await write(named('reverse charge'))).content;
    assert.match(texts(reversed, 'LegalReference')[0] ?? '', /^Inversión del sujeto pasivo/);
    const parts = (await write(named('instalments'))).content;
    assert.equal(texts(parts, 'InstallmentAmount').length, 3);
    assert.match(parts, /<PaymentMeans>04<\/PaymentMeans><AccountToBeCredited><IBAN>ES91/);
  });

  describe('signed', () => {
    const agency = use(() => startTestAgency(() => company.ctx.now));
    before(() => certify(company, agency, company.ctx.now));
    const sign = async (name: string) => (await write(named(name), [ENCRYPTION_KEY])).content;

    it('are accepted by two independent verifiers', async () => {
      for (const name of ['21 %', 'notes', 'name with signs', 'public body', 'withholding taken back', 'many lines']) {
        const xml = await sign(name);
        assert.equal(schemaFault('facturae', xml), null, name);
        assert.equal(firstVerifier(xml), true, name);
        assert.equal(await secondVerifier(xml), true, name);
      }
    });

    it('are refused by both once anything in them is changed', async () => {
      const xml = await sign('notes');
      for (const [from, to] of [
        ['<InvoiceTotal>121.00<', '<InvoiceTotal>122.00<'],
        ['<xades:ClaimedRole>emisor<', '<xades:ClaimedRole>tercero<'],
        ['<ds:Exponent>AQAB<', '<ds:Exponent>AQAC<'],
      ] as const) {
        assert.ok(xml.includes(from), from);
        const changed = xml.replace(from, to);
        assert.equal(firstVerifier(changed), false, from);
        assert.equal(await secondVerifier(changed), false, from);
      }
    });
  });

  it('need a certificate that has not ended', async () => {
    const later = { ...company.ctx, now: new Date('2080-01-01T00:00:00Z') };
    await assert.rejects(
      company.run((trx) => facturaeFile(trx, later, named('21 %'), [ENCRYPTION_KEY])),
      { code: 'invalid_transition' },
    );
  });
});
