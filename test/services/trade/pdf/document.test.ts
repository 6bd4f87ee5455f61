import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CustomField } from '../../../../db/models/records/custom-fields.ts';
import { BankAccount, PaymentTerms, Tax } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { SettingsByName, SettingsName } from '../../../../services/platform/settings/definitions.ts';
import { loadSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { documentView } from '../../../../services/trade/pdf/document-view.ts';
import { renderDocument } from '../../../../services/trade/pdf/render.ts';
import { TEXTS } from '../../../../services/trade/pdf/texts/index.ts';
import type { TestCompany } from '../../../helpers/company.ts';
import { useCompany } from '../../../helpers/hooks.ts';

type Row = Record<string, unknown>;

describe('printed documents', function () {
  this.timeout(60_000);

  const company = useCompany({ sound: false });
  before(async () => {
    await company.stockUp(company.itemId, 1000);
  });

  function create(docType: DocType, lines: Row[], header: Row = {}): Promise<Row & { lines: Row[] }> {
    const { ctx, customerId, supplierId } = company;
    const partnerId = DOCUMENT_TYPES[docType].side === 'sales' ? customerId : supplierId;
    return company.run((trx) => createDocument(trx, ctx, docType, { partnerId, ...header, lines } as never)) as never;
  }
  async function page(document: Row) {
    const { view } = await company.run((trx) => documentView(trx, String(document.id)));
    const { html, footer } = await renderDocument(view, null);
    // Percentages and money have spaces that do not break.
    return { view, html: html.replaceAll('\u00a0', ' '), footer };
  }
  const line = (values: Row = {}) => ({ itemId: company.itemId, quantity: 2, price: 1234.5, ...values });
  /** Settings that hold for one test. */
  async function during<N extends SettingsName>(name: N, value: Partial<SettingsByName[N]>, work: () => Promise<void>) {
    const { ctx } = company;
    const before = await company.run((trx) => loadSettings(trx, name));
    await company.run((trx) => replaceSettings(trx, ctx, name, { ...before, ...value }));
    await work().finally(() => company.run((trx) => replaceSettings(trx, ctx, name, before)));
  }
  async function withPartner(values: Row, work: () => Promise<void>) {
    const change = (columns: Row) =>
      company.run((trx) => trx('partners').where({ id: company.customerId }).update(columns));
    const before = (await company.rows('select * from partners where id = ?', [company.customerId]))[0] as Row;
    await change(values);
    await work().finally(() => change(Object.fromEntries(Object.keys(values).map((name) => [name, before[name]]))));
  }
  function has(html: string, texts: readonly string[]) {
    for (const text of texts) assert.ok(html.includes(text), `${text} is in ${html.slice(html.indexOf('<body>'))}`);
  }

  it('show company, partner, lines, taxes and totals in the language of the company', async () => {
    const invoice = await create('SINV', [line({ discountPercent: 10 }), line({ quantity: 1.5, price: 0.125 })], {
      notes: 'Pago a 30 días',
      reference: 'PED-7',
      withholdingRate: 15,
    });
    const { html, footer } = await page(invoice);
    has(html, ['<html lang="es"', 'Frutas García', 'NIF B12345674', 'Café Central', 'Factura', 'borrador', 'PED-7']);
    has(html, ['1.234,50', '0,125', '10 %', '21 %', '2.222,29', 'IVA21', 'Retención IRPF 15 %', '-333,34']);
    has(html, ['2.355,63 €', 'Pago a 30 días', '>15/06/2026<']);
    assert.match(html, /class="watermark"[^>]*><span>BORRADOR</);
    has(footer, ['Frutas García · NIF B12345674', 'Página <span class="pageNumber">', 'de <span class="totalPages">']);
  });

  it('are receipts for suppliers under the farming scheme, who sign them', async () => {
    const tax = await company.run((trx) =>
      insertRow(trx, company.ctx, Tax, { code: 'REAGP12', name: 'Compensación 12 %', rate: '12', kind: 'vat' }),
    );
    const receipt = await create('PINV', [line({ taxGroupId: tax.id })], { vatRegime: 'agricultural' });
    const { html } = await page(receipt);
    has(html, ['Recibo · Régimen especial de la agricultura, ganadería y pesca', 'Compensación', '12 %']);
    has(html, ['2.765,28 €', 'Firma del titular de la explotación:']);
    assert.ok(!html.includes('>IVA<'));
  });

  it('print the indirect tax of the company', async () => {
    const exported = await create('SINV', [line()], { vatRegime: 'export' });
    await during('company', { taxSet: 'igic' }, async () => {
      const { html } = await page(exported);
      has(html, ['>IGIC<', 'exenta de IGIC']);
      assert.ok(!html.includes('Ley 37/1992'));
    });
  });

  it('show the customs document of imported goods, and how its VAT is paid', async () => {
    const customsDocument = {
      number: '26ES00281112345678',
      date: '2026-05-20',
      base: 1100,
      vatAmount: 231,
      deferred: false,
    };
    for (const [deferred, paid] of [
      [false, 'pagado en la aduana'],
      [true, 'diferido'],
    ] as const) {
      const header = { vatRegime: 'export', customsDocument: { ...customsDocument, deferred } };
      const { html } = await page(await create('PINV', [line({ price: 500 })], header));
      has(html, ['DUA', `26ES00281112345678 · 20/05/2026 · Base imponible 1.100,00 € · IVA 231,00 € (${paid})`]);
    }
    const { html } = await page(await create('PINV', [line()]));
    assert.ok(!html.includes('DUA'));
  });

  it('show each part in which an invoice is due, with its day', async () => {
    const part = { days: 0, endOfMonth: false };
    const lines = [
      { ...part, percent: 40 },
      { ...part, percent: 60, days: 30 },
    ];
    const terms = { code: 'T', name: 'Dos plazos', lines, active: true };
    const { id } = await company.run((trx) => insertRow(trx, company.ctx, PaymentTerms, terms));
    const { html } = await page(await create('SINV', [line({ quantity: 1, price: 100 })], { paymentTermsId: id }));
    // 121.00: 48.40 on 15 June and 72.60 on 15 July.
    has(html, ['15/06/2026, 15/07/2026', 'Vencimiento 1/2', '15/06/2026 · 48,40 €', '15/07/2026 · 72,60 €']);
  });

  it('are called by their type in both languages', async () => {
    for (const docType of DOC_TYPES) {
      const document = await create(docType, [line()]);
      assert.equal((await page(document)).view.title, TEXTS.es.titles[docType]);
    }
    const order = await create('SO', [line()]);
    await withPartner({ language: 'en' }, async () => assert.equal((await page(order)).view.title, 'Sales order'));
  });

  it("are in English for a partner who reads it, with the company's precision", async () => {
    await withPartner({ language: 'en' }, async () => {
      await during('format', { decimalPrecision: 3 }, async () => {
        const { html, footer } = await page(await create('SINV', [line()]));
        has(html, ['<html lang="en"', 'Invoice', '1,234.500', '>DRAFT<', 'Taxable base', '15 Jun 2026', '€2,987.490']);
        assert.match(footer, /Page .* of /s);
      });
    });
  });

  it("write numbers and days by the company's format", async () => {
    await during('format', { locale: 'en-US', dateFormat: 'MM/dd/yyyy', quantityPrecision: 3 }, async () => {
      const { html } = await page(await create('SO', [line({ quantity: 1000.125, price: 1.5 })]));
      has(html, ['Sales order', '06/15/2026', '1,000.125', '1.50', '1,500.19']);
    });
  });

  it('have the legal number and no watermark once posted, and say so when cancelled', async () => {
    const invoice = await create('SINV', [line()]);
    const posted = await company.run((trx) => postInvoice(trx, company.ctx, String(invoice.id), { ifMatch: null }));
    const { html } = await page(invoice);
    has(html, [String(posted.code)]);
    assert.doesNotMatch(html, /class="watermark"/);
    await company.run((trx) => cancelDocument(trx, company.ctx, String(invoice.id), { ifMatch: null }));
    assert.equal((await page(invoice)).view.watermark, 'ANULADA');
  });

  it('have no watermark on drafts where the company does not want it', async () => {
    await during('flags', { watermarkDraft: false }, async () => {
      const { html } = await page(await create('SINV', [line()]));
      assert.doesNotMatch(html, /class="watermark"/);
      has(html, ['borrador']);
    });
  });

  it("wear the company's colours and font, and stay readable in them", async () => {
    const order = await create('SO', [line()]);
    const looks = { colorPrimary: '#facc15', colorAccent: '#be123c', fontFamily: 'serif' } as const;
    await during('branding', looks, async () => {
      const { html, footer } = await page(order);
      has(html, ['solid #facc15', 'solid #be123c', 'Noto Serif', 'color: #111827; background: #facc15']);
      has(footer, ['Noto Serif']);
    });
    await during('branding', { appName: 'Gestión <Frutas>' }, async () => {
      has((await page(order)).footer, ['<br>Gestión &lt;Frutas&gt;']);
    });
    assert.doesNotMatch((await page(order)).footer, /<br>|Business Management/);
    await during('branding', { colorPrimary: '</style><script>' }, async () => {
      has((await page(order)).html, ['solid #2563eb']);
    });
  });

  it('name what their lines are based on: once for all, else before the lines', async () => {
    const [first, second] = [await create('SO', [line()]), await create('SO', [line(), line({ price: 5 })])];
    const based = (order: Row & { lines: Row[] }) =>
      order.lines.map(({ id }) => ({ baseId: order.id, baseLineId: id, quantity: 1 }));
    const one = (await page(await create('SDN', based(second)))).view;
    assert.ok(one.facts.some(({ label, value }) => label === 'Pedido' && value === second.code));
    assert.deepEqual(
      one.groups.map(({ caption }) => caption),
      [null],
    );
    const { view, html } = await page(await create('SDN', [...based(first), ...based(second), line()]));
    assert.deepEqual(
      view.groups.map(({ caption, lines }) => [caption, lines.length]),
      [
        [`Pedido ${first.code} · 15/06/2026`, 1],
        [`Pedido ${second.code} · 15/06/2026`, 2],
        ['Otras líneas', 1],
      ],
    );
    has(html, [`Pedido ${first.code}`]);
    assert.deepEqual(
      (await page(first)).view.groups.map(({ caption }) => caption),
      [null],
    );
  });

  it('show where goods go when that is another place than the invoice', async () => {
    const billing = { street: 'Calle Mayor 1', zipCode: '28001', city: 'Madrid', countryCode: 'ES' };
    const shipping = { name: 'Nave 7', street: 'Rúa 2', city: 'Porto', state: 'Norte', countryCode: 'PT' };
    const { view } = await page(await create('SO', [line()], { billingAddress: billing, shippingAddress: shipping }));
    assert.deepEqual(view.partner.lines, ['Calle Mayor 1', '28001 Madrid']);
    assert.deepEqual(view.shipping, ['Nave 7', 'Rúa 2', 'Porto (Norte)', 'Portugal']);
    const same = await page(await create('SO', [line()], { billingAddress: billing, shippingAddress: billing }));
    assert.deepEqual(same.view.shipping, []);
  });

  it("tell a customer how to pay an invoice: to the company's account, or from the customer's own", async () => {
    const invoice = await create('SINV', [line()], { dueDate: '2026-07-15' });
    assert.deepEqual(
      (await page(invoice)).view.payment.map(({ label }) => label),
      ['Vencimiento'],
    );
    await company.run((trx) =>
      insertRow(trx, company.ctx, BankAccount, {
        name: 'Principal',
        iban: 'ES9121000418450200051332',
        bankName: 'Banco Ejemplo',
        bic: 'CAIXESBBXXX',
        isDefault: true,
      }),
    );
    const facts = async () => (await page(invoice)).view.payment.map(({ label, value }) => `${label}: ${value}`);
    const byTransfer = [
      'Forma de pago: Transferencia',
      'Vencimiento: 15/07/2026',
      'IBAN: ES91 2100 0418 4502 0005 1332 · Banco Ejemplo',
      'BIC: CAIXESBBXXX',
    ];
    assert.deepEqual(await facts(), byTransfer, 'who has no way to pay pays by transfer');
    await withPartner({ payment_method: 'cash' }, async () => {
      assert.deepEqual(await facts(), ['Forma de pago: Efectivo', 'Vencimiento: 15/07/2026']);
    });
    await withPartner({ payment_method: 'transfer' }, async () => {
      assert.deepEqual(await facts(), byTransfer);
      assert.deepEqual((await page(await create('SO', [line()]))).view.payment, []);
    });
    await withPartner({ payment_method: 'direct_debit', iban: 'ES7921000813610123456789' }, async () => {
      assert.deepEqual((await facts()).slice(2), ['Cuenta de cargo: ES79 … 6789']);
    });
  });

  it('say on sales invoices why they bear no VAT, with the article where the company is Spanish', async () => {
    const [tax] = await company.rows("select id from taxes where code = 'IVA0'");
    const mentions = async (header: Row, values: Row = {}, docType: DocType = 'SINV') =>
      (await page(await create(docType, [line(values)], header))).view.mentions;
    assert.deepEqual(await mentions({}), []);
    assert.deepEqual(await mentions({ vatRegime: 'reverse_charge' }), [
      'Inversión del sujeto pasivo (art. 84.Uno.2.º de la Ley 37/1992)',
    ]);
    assert.deepEqual(await mentions({ vatRegime: 'intra_eu' }), [
      'Entrega intracomunitaria exenta de IVA (art. 25 de la Ley 37/1992)',
    ]);
    assert.deepEqual(await mentions({ vatRegime: 'export' }), [
      'Exportación exenta de IVA (art. 21 de la Ley 37/1992)',
    ]);
    assert.deepEqual(await mentions({}, { taxGroupId: tax?.id }), [
      'Operación exenta de IVA (art. 20 de la Ley 37/1992)',
    ]);
    assert.deepEqual(await mentions({ vatRegime: 'intra_eu' }, {}, 'SO'), []);
    assert.deepEqual(await mentions({ vatRegime: 'intra_eu' }, {}, 'PINV'), []);
    const invoiced = company.ctx.now.getUTCFullYear();
    await during('tax', { cashBasisYears: [invoiced] }, async () => {
      assert.deepEqual(await mentions({}), ['Régimen especial del criterio de caja']);
      assert.deepEqual(await mentions({}, {}, 'PINV'), []);
    });
    await during('company', { country: 'PT' }, async () => {
      assert.deepEqual(await mentions({ vatRegime: 'reverse_charge' }), ['Inversión del sujeto pasivo']);
    });
  });

  it('show no tax of goods under the margin scheme, not even none', async () => {
    const used = line({ quantity: 1, price: 500, vatRegime: 'margin', marginCost: 300 });
    const { html } = await page(await create('SINV', [used]));
    assert.doesNotMatch(html, /IVA21|Base imponible|>0 %/);
    const own = line({ quantity: 1, price: 500, marginCost: 300 });
    const { html: ofHead } = await page(await create('SINV', [own], { vatRegime: 'margin' }));
    assert.doesNotMatch(ofHead, /IVA21|Base imponible|>0 %/);
    const { view } = await page(await create('SINV', [used, line()]));
    assert.deepEqual(
      [
        view.groups.flatMap(({ lines }) => lines.map(({ tax }) => tax)),
        view.taxes.map(({ rate, base }) => [rate, base]),
      ],
      [['', '21\u00a0%'], [['21\u00a0%', '2.469,00']]],
    );
  });

  it('show the equivalence surcharge by rate and in the totals', async () => {
    const { view, html } = await page(await create('SINV', [line()], { vatRegime: 'surcharge' }));
    has(html, ['R. E.', '5,2 %', '128,39']);
    assert.ok(view.totals.some(({ label, value }) => label === 'Recargo de equivalencia' && value === '128,39'));
    assert.equal((await page(await create('SINV', [line()]))).view.hasSurcharge, false);
  });

  it('are rectifying invoices by their series, with negative amounts and nothing to pay', async () => {
    const original = await create('SINV', [line()]);
    const posted = await company.run((trx) => postInvoice(trx, company.ctx, String(original.id), { ifMatch: null }));
    const invoice = await create('SINV', [line()], { dueDate: '2026-07-15' });
    await company.run((trx) =>
      trx.raw(
        `update documents set series_id = (select id from series where doc_type = 'SINV' and rectifying), total = -total,
           rectifies = ?, reason = 'Devolución' where id = ?`,
        [original.id as string, invoice.id as string],
      ),
    );
    const { view } = await page(invoice);
    assert.equal(view.title, 'Factura rectificativa');
    const shown = view.facts.map(({ label, value }) => `${label}: ${value}`);
    assert.ok(shown.includes(`Rectifica a: ${posted.code} · 15/06/2026`), shown.join());
    assert.ok(shown.includes('Motivo: Devolución'), shown.join());
    assert.equal(view.total.replaceAll('\u00a0', ' '), '-2.987,49 €');
    assert.deepEqual(view.payment, []);
  });

  it('show on an invoice the batches that its note delivered', async () => {
    const { ctx } = company;
    const { id: itemId } = await company.item({ batchTracked: true });
    await during('flags', { autoConfirmBatches: true }, async () => {
      const batchDetails = [
        { batchNum: 'L1', quantity: 2, expiryDate: '2027-01-31' },
        { batchNum: 'L2', quantity: 4, expiryDate: '2027-02-28' },
      ];
      await create('PDN', [{ itemId, quantity: 6, batchDetails }]);
    });
    const note = await create('SDN', [{ itemId, quantity: 5 }]);
    const invoice = (quantity: number) =>
      company.run((trx) => {
        const lines = [{ baseLineId: String(note.lines[0]?.id), quantity }];
        return createFollowUp(trx, ctx, String(note.id), 'invoice', { lines }, { docType: 'SDN', ifMatch: null });
      });
    const shownBatches = async (document: Row) => (await page(document)).view.groups[0]?.lines[0]?.batches;
    const first = await invoice(2);
    // It is unknown which batches part of the note's goods came from.
    assert.deepEqual(await shownBatches(first), ['Lote L1 · cad. 31/01/2027', 'Lote L2 · cad. 28/02/2027']);
    await company.run((trx) => cancelDocument(trx, ctx, String(first.id), { ifMatch: null }));
    const whole = await invoice(5);
    assert.deepEqual(await shownBatches(whole), ['Lote L1 · cad. 31/01/2027 · 2', 'Lote L2 · cad. 28/02/2027 · 3']);
  });

  it('list the components of a kit on the note that is picked by it', async () => {
    const [kit, part] = [await company.item({ kit: true, stockTracked: false }), await company.item({ name: 'Taza' })];
    const now = new Date().toISOString();
    const times = { created_at: now, updated_at: now };
    const component = { item_id: kit.id, component_id: part.id, quantity: 2, tenant_id: company.ctx.tenantId };
    await company.run((trx) => trx('item_components').insert({ id: randomUUID(), ...component, ...times }));
    await create('PDN', [{ itemId: part.id, quantity: 10 }]);
    const { view } = await page(await create('SDN', [{ itemId: kit.id, quantity: 3 }]));
    assert.deepEqual(view.groups[0]?.lines[0]?.batches, ['6 UD · Taza']);
    const order = await page(await create('SO', [{ itemId: kit.id, quantity: 1 }]));
    assert.deepEqual(order.view.groups[0]?.lines[0]?.batches, []);
  });

  it('name the batches of a line: what has moved, in the unit of the line', async () => {
    const item = await company.item({ batchTracked: true });
    const batches = [
      { batchNum: 'L<1>', quantity: 5, expiryDate: '2027-01-31' },
      { batchNum: 'L2', quantity: 3, expiryDate: '2026-12-31' },
    ];
    let received: Row = {};
    await during('flags', { autoConfirmBatches: true }, async () => {
      received = await create('PDN', [{ itemId: item.id, quantity: 8, batchDetails: batches }]);
    });
    const { view, html } = await page(received);
    const texts = (shown: typeof view) => shown.groups[0]?.lines[0]?.batches;
    assert.deepEqual(texts(view), ['Lote L2 · cad. 31/12/2026 · 3', 'Lote L<1> · cad. 31/01/2027 · 5']);
    has(html, ['Lote L&lt;1&gt;']);
    // The first to expire leaves first.
    const delivered = await page(await create('SDN', [{ itemId: item.id, quantity: 4 }]));
    assert.deepEqual(texts(delivered.view), ['Lote L2 · cad. 31/12/2026 · 3', 'Lote L<1> · cad. 31/01/2027 · 1']);
    const named = await create('SINV', [
      { itemId: item.id, quantity: 1, batchDetails: [{ batchNum: 'L<1>', quantity: 1 }] },
    ]);
    assert.deepEqual(texts((await page(named)).view), ['Lote L<1> · 1']);
  });

  it('never take text for markup', async () => {
    const hostile = `<script>alert(1)</script>&"'><img src=x onerror=alert(1)>{{ company.name }}{% raw %}</style>`;
    const address = { name: hostile, street: hostile, city: hostile, state: hostile, zipCode: '<b>"&' };
    const header = { notes: hostile, reference: hostile, billingAddress: address, shippingAddress: address };
    const profile = { name: hostile, address: hostile, city: hostile, email: hostile, website: hostile };
    const order = await create('SO', [line({ description: hostile })], {
      ...header,
      shippingAddress: { name: hostile },
    });
    await during('company', profile, async () => {
      await withPartner({ name: hostile, phone: hostile, email: hostile }, async () => {
        const { html, footer } = await page(order);
        assert.doesNotMatch(html + footer, /<script|<img|<b>|<\/style>.*<\/style>/s);
        has(html, ['&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#34;&#39;&gt;', '{{ company.name }}{% raw %}']);
        assert.ok(html.split('&lt;script&gt;').length > 12, 'each text is there');
      });
    });
  });

  it('are alike whenever they are made', async () => {
    const invoice = await create('SINV', [line()]);
    assert.deepEqual(await page(invoice), await page(invoice));
  });

  describe('that rectify an invoice or return a note', () => {
    const run = (work: Parameters<TestCompany['run']>[0]) => company.run(work) as Promise<Row & { lines: Row[] }>;
    const follow = (id: unknown, step: 'rectify' | 'return', docType: DocType, more: Row) =>
      run((trx) => createFollowUp(trx, company.ctx, String(id), step, more, { docType, ifMatch: null }));
    let posted: Row & { lines: Row[] };
    let note: Row;
    before(async () => {
      const draft = await create('SINV', [line(), line({ quantity: 1 })]);
      posted = await run((trx) => postInvoice(trx, company.ctx, String(draft.id), { ifMatch: null }));
      note = await create('SDN', [line()]);
    });

    const rectifyingLine = () =>
      follow(posted.id, 'rectify', 'SINV', {
        reason: 'Error',
        lines: [{ baseLineId: posted.lines[0]?.id, quantity: 1 }],
      });
    const withRebate = () => {
      const rebate = { description: 'Rebaja', quantity: -1, price: 3, taxGroupId: company.taxId };
      return create('SINV', [{ baseId: posted.id, itemId: company.itemId, quantity: -1 }, rebate], {
        rectifies: posted.id,
      });
    };
    const returned = () => follow(note.id, 'return', 'SDN', {});

    /** Asserts that a document's number appears once, in a fact, and in no caption. */
    async function saysOnce(document: Row, { code }: Row, es: string, en: string) {
      const { view, html } = await page(document);
      assert.deepEqual(
        view.facts.filter(({ value }) => value.includes(String(code))),
        [{ label: es, value: `${code} · 15/06/2026` }],
      );
      assert.equal(html.split(String(code)).length, 2, 'the number stands there once');
      assert.ok(
        view.facts.every(({ label }) => label !== ''),
        'every row has a label',
      );
      assert.ok(
        view.groups.every(({ caption }) => caption === null),
        'no caption',
      );
      assert.doesNotMatch(html, /undefined/);
      await withPartner({ language: 'en' }, async () => {
        assert.ok(
          (await page(document)).view.facts.some(({ label }) => label === en),
          en,
        );
      });
    }

    it('say once, with a label, which invoice they rectify, by number and date', async () => {
      await saysOnce(await rectifyingLine(), posted, 'Rectifica a', 'Corrects');
    });

    it('say so also where further lines refer to nothing', async () => {
      await saysOnce(await withRebate(), posted, 'Rectifica a', 'Corrects');
    });

    it('say once which note they return, and are called returns', async () => {
      const back = await returned();
      await saysOnce(back, note, 'Devuelve', 'Returns');
      assert.equal((await page(back)).view.title, 'Albarán de devolución');
    });
  });

  describe('of a type with custom fields', () => {
    const long = 'Montaje en planta alta. '.repeat(5).trim();
    const fields: readonly (readonly [name: string, type: CustomField['type'], value: unknown])[] = [
      ['obra', 'TEXT', 'Edificio <Norte>'],
      ['temporada', 'NUMBER', 2026],
      ['peso', 'DECIMAL', 1234.125],
      ['fianza', 'CURRENCY', 1500],
      ['merma', 'PERCENTAGE', 2.5],
      ['urgente', 'BOOLEAN', false],
      ['revision', 'DATE', '2026-07-01'],
      ['cita', 'DATETIME', '2026-06-30T22:30:00Z'],
      ['colores', 'MULTISELECT', ['rojo', 'azul']],
      ['montaje', 'TEXTAREA', long],
      ['constructor', 'TEXT', undefined],
      ['oculto', 'TEXT', 'nobody sees this'],
    ];
    let made: Awaited<ReturnType<typeof page>>;
    before(async () => {
      await company.run(async (trx) => {
        for (const [position, [fieldName, type]] of fields.entries()) {
          await insertRow(trx, company.ctx, CustomField, {
            tableName: 'SalesOrder',
            fieldName,
            storageKey: fieldName,
            label: `El ${fieldName}`,
            type,
            position,
            options: type === 'MULTISELECT' ? ['rojo', 'azul'] : null,
            visibleInList: false,
            visibleInForm: fieldName !== 'oculto',
            required: false,
            active: true,
            filterable: false,
          } as never);
        }
      });
      const values = Object.fromEntries(fields.map(([name, , value]) => [`custom_${name}`, value]));
      made = await page(await create('SO', [line()], values));
    });
    const shown = (facts: typeof made.view.custom.short) =>
      facts.map(({ label, value }) => `${label}: ${value.replaceAll('\u00a0', ' ')}`);

    it('show the short ones above the lines', () => {
      assert.deepEqual(shown(made.view.custom.short), [
        'El obra: Edificio <Norte>',
        'El temporada: 2026',
        'El peso: 1.234,125',
        'El fianza: 1.500,00 €',
        'El merma: 2,5 %',
        'El urgente: No',
        'El revision: 01/07/2026',
        'El cita: 01/07/2026 00:30',
        'El colores: rojo, azul',
      ]);
    });

    it('show the long ones below the lines', () => {
      assert.deepEqual(shown(made.view.custom.long), [`El montaje: ${long}`]);
    });

    it('show those of the form alone, as text', () => {
      has(made.html, ['Edificio &lt;Norte&gt;', long]);
      assert.doesNotMatch(made.html, /nobody sees this/);
    });

    it('have all of them for templates', () => {
      const { custom_fianza: deposit, custom_oculto: hidden, custom_constructor: unset } = made.view.document;
      assert.deepEqual([deposit?.replaceAll('\u00a0', ' '), hidden, unset], ['1.500,00 €', 'nobody sees this', '']);
    });

    it('show none on documents of other types', async () => {
      assert.deepEqual((await page(await create('SINV', [line()]))).view.custom, { short: [], long: [] });
    });
  });
});
