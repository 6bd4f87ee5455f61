import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/index.ts';
import type { Registration } from '../../../../domain/ledger/verifactu/records.ts';
import { decimal } from '../../../../domain/money.ts';
import { sendRecords } from '../../../../services/ledger/verifactu/sending/send-records.ts';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { ublFile } from '../../../../services/trade/einvoice/en16931/files.ts';
import { facturaeFile } from '../../../../services/trade/einvoice/facturae/file.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import { issueFullInvoice } from '../../../../services/trade/lifecycle/full-invoice.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { documentView } from '../../../../services/trade/pdf/document-view.ts';
import { certify, nameCustomer, startTestAgency } from '../../../helpers/agency.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const any = { ifMatch: null };
const MAIL = { to: 'cliente@example.test', docType: 'SINV', ...any } as const;
const billingAddress = { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid', countryCode: 'ES' };
type Row = Record<string, unknown>;
interface Made {
  readonly id: string;
  readonly code: string;
  readonly total: number;
  readonly lines: readonly (Row & {
    readonly id: string;
    readonly quantity: number;
    readonly baseLineId: string | null;
  })[];
}

describe('rectification by substitution', function () {
  this.timeout(120_000);
  const company = useCompany();
  const agency = use(() => startTestAgency(() => company.ctx.now), { close: (one) => one.close() });
  let customer: string;
  const services = (price: number, more: Row = {}) => ({
    description: 'Consultoría',
    quantity: 1,
    price,
    taxGroupId: company.taxId,
    ...more,
  });
  const create = (input: Row) =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'SINV', { partnerId: customer, billingAddress, ...input } as never),
    ) as unknown as Promise<Made>;
  const post = (id: string) => company.run((trx) => postInvoice(trx, company.ctx, id, any)) as unknown as Promise<Made>;
  const issue = async (lines: readonly Row[], head: Row = {}) => await post((await create({ lines, ...head })).id);
  const rectify = (id: string, more: Row = { rectificationMethod: 'substitution' }) =>
    company.run((trx) =>
      createFollowUp(trx, company.ctx, id, 'rectify', { reason: 'Precio', ...more } as never, {
        docType: 'SINV',
        ...any,
      }),
    ) as unknown as Promise<Made>;
  const patch = (id: string, change: Row) =>
    company.run((trx) => updateDocument(trx, company.ctx, id, change as never, any)) as unknown as Promise<Made>;
  /** Replaces what a draft states by other lines. */
  const restate = (draft: Made, lines: readonly Row[], head: Row = {}) =>
    patch(draft.id, {
      ...head,
      lines: [...draft.lines.filter(({ quantity }) => quantity < 0).map(({ id }) => ({ id })), ...lines],
    });
  const record = async (id: string) =>
    (await company.rows('select record from verifactu_records where document_id = ? order by seq', [id])).at(-1)
      ?.record as Registration;
  const faults = (work: Promise<unknown>, ...expected: string[]) =>
    assert.rejects(work, ({ errors }: { errors: { pointer: string; code: string }[] }) => {
      assert.deepEqual(
        errors.map(({ pointer, code }) => `${pointer} ${code}`),
        expected,
      );
      return true;
    });

  before(async () => {
    customer = await nameCustomer(company, { name: 'Cliente SA', nif: 'A58818501' });
    await company.run((trx) => replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null));
  });

  it('begins as a draft that takes back all and states it again, and counts by the difference', async () => {
    const sold = await issue([services(100), services(10.01, { quantity: 3 })]);
    const draft = await rectify(sold.id);
    assert.deepEqual(
      draft.lines.map(({ quantity, price, baseLineId }) => [quantity, price, baseLineId]),
      [
        [-1, 100, sold.lines[0]?.id],
        [-3, 10.01, sold.lines[1]?.id],
        [1, 100, null],
        [3, 10.01, null],
      ],
    );
    assert.equal(draft.total, 0);
    const changed = await restate(draft, [services(90), services(10.01, { quantity: 3 })]);
    assert.equal(changed.total, -12.1);
    const posted = await post(draft.id);
    assert.equal(posted.total, -12.1);
    const entry = await company.rows(
      `select sum(l.debit - l.credit) as customer from journal_lines l join journal_entries e on e.id = l.entry_id
       where e.source_id in (?, ?) and l.partner_id is not null`,
      [sold.id, draft.id],
    );
    assert.equal(Number(entry[0]?.customer), 145.24);
    const { rectifiedBy } = (await company.run((trx) => readDocument(trx, sold.id))) as unknown as {
      rectifiedBy: Row[];
    };
    assert.equal(rectifiedBy.length, 1);
  });

  it('has a record that states the invoice as it should have been, and what it replaces', async () => {
    const surcharge = { vatRegime: 'surcharge', withholdingRate: 15 };
    const sold = await issue([services(100), services(50, { vatRegime: 'general', withholdingRate: 7 })], surcharge);
    const draft = await rectify(sold.id);
    // The head's own regime and withholding change, but not what is taken back.
    await restate(draft, [services(120)], { vatRegime: 'general', withholdingRate: 0 });
    const posted = await post(draft.id);
    const made = await record(draft.id);
    assert.deepEqual(
      [made.type, made.rectification, made.rectified?.[0]?.number, made.total, made.taxTotal],
      ['R1', 'S', sold.code, '145.20', '25.20'],
    );
    assert.deepEqual(made.replaced, { base: '150.00', amount: '31.50', surchargeAmount: '5.20' });
    const difference = decimal(made.total).minus('186.70').plus('18.50');
    assert.equal(posted.total, difference.toNumber());
    const { view } = await company.run((trx) => documentView(trx, draft.id));
    assert.equal(view.total.replace(/\s/g, ' '), '145,20 €');
    assert.deepEqual([view.groups.flatMap(({ lines }) => lines).length, view.taxes.length], [1, 1]);
    const fact = (label: string) => view.facts.find((one) => one.label === label)?.value.replace(/\s/g, ' ');
    assert.equal(
      fact('Importe rectificado'),
      'Base imponible 150,00 € · Cuota 36,70 € · Retención IRPF -18,50 € · Total 168,20 €',
    );
    assert.equal(
      fact('Importe de la rectificación'),
      'Base imponible -30,00 € · Cuota -11,50 € · Retención IRPF 18,50 € · Total -23,00 €',
    );
    assert.deepEqual(view.payment, []);
    const { id: mailed } = (await company.run((trx) => sendDocument(trx, company.ctx, draft.id, MAIL))).email;
    const [mail] = await company.rows('select subject, text from emails where id = ?', [mailed]);
    assert.match(String(mail?.text).replace(/\s/g, ' '), /145,20 €/);
    const { verifactu } = await company.run((trx) => readDocument(trx, draft.id));
    assert.match(verifactu?.qrUrl ?? '', /importe=145\.20/);
  });

  it('is whole in Facturae and a corrected invoice in UBL', async () => {
    const sold = await issue([services(100)]);
    const draft = await rectify(sold.id);
    await restate(draft, [services(90)]);
    await post(draft.id);
    const facturae = (await company.run((trx) => facturaeFile(trx, company.ctx, draft.id, null))).content;
    assert.match(facturae, /<CorrectionMethod>01<.*Rectificación íntegra.*<InvoiceTotal>108\.90</s);
    const { content } = await company.run((trx) => ublFile(trx, draft.id));
    assert.match(content, /<cbc:InvoiceTypeCode>384<.*<cbc:PayableAmount currencyID="EUR">108\.90</s);
  });

  it('is taken by the agency, also of a simplified invoice', async () => {
    const sold = await issue([services(20)], { partnerId: company.customerId });
    const draft = await rectify(sold.id);
    await restate(draft, [services(30)]);
    await post(draft.id);
    assert.deepEqual([(await record(draft.id)).type, (await record(draft.id)).rectification], ['R5', 'S']);
    await certify(company, agency, company.ctx.now);
    const config = loadConfig({ ...agency.env }).verifactu;
    const keys = { encryptionKeys: [ENCRYPTION_KEY], now: () => company.ctx.now } as const;
    await sendRecords({ database: company.database, config, ...keys }, company.ctx);
    const answers = await company.rows('select distinct status, error::text from verifactu_results', []);
    assert.deepEqual(answers, [{ status: 'accepted', error: null }]);
  });

  it('must take back each line whole and as it was, and state something', async () => {
    const sold = await issue([services(100), services(50, { quantity: 2 })]);
    const draft = await rectify(sold.id);
    const [first, second] = draft.lines.map(({ id }) => id);
    const changed = (...lines: Row[]) => patch(draft.id, { lines });
    await faults(changed({ id: first }, services(1)), '/lines incomplete');
    await faults(changed({ id: first }, { id: second, quantity: -1 }, services(1)), '/lines/1 differs');
    await faults(changed({ id: first, price: 99 }, { id: second }, services(1)), '/lines/0 differs');
    await faults(changed({ id: first }, { id: second }), '/lines required');
    await faults(
      changed({ id: first }, { id: second }, services(1, { quantity: -1 })),
      '/lines/2/baseLineId required',
      '/lines required',
    );
    assert.deepEqual((await company.run((trx) => readDocument(trx, draft.id))).lines.length, 4);
  });

  it('is not mixed with differences, goods that come back, or lines of the request', async () => {
    const sold = await issue([services(100, { quantity: 2 })]);
    const [line] = sold.lines;
    const part = { baseLineId: line?.id, quantity: 1 };
    const all = { rectificationMethod: 'substitution' };
    await faults(rectify(sold.id, { ...all, lines: [part] }), '/lines not_allowed');
    await faults(rectify(sold.id, { ...all, returnStock: true }), '/returnStock not_allowed');
    await faults(
      create({ lines: [services(1)], ...all }),
      '/rectificationMethod not_applicable',
      '/rectifies required',
    );
    await rectify(sold.id, { lines: [part] });
    await faults(rectify(sold.id), '/rectificationMethod partly_rectified');
  });

  it('can be rectified itself, by differences and by substitution, and cancelled', async () => {
    const sold = await issue([services(100, { quantity: 2 })]);
    const first = await rectify(sold.id);
    await restate(first, [services(90, { quantity: 2 })]);
    const replacing = await post(first.id);
    const stated = replacing.lines.find(({ quantity }) => quantity > 0);
    await faults(rectify(first.id, { returnStock: true }), '/returnStock not_allowed');
    const less = await rectify(first.id, { lines: [{ baseLineId: stated?.id, quantity: 1 }] });
    await post(less.id);
    const difference = await record(less.id);
    assert.deepEqual(
      [difference.rectification, difference.total, difference.rectified?.[0]?.number],
      ['I', '-108.90', replacing.code],
    );
    await company.run((trx) => cancelDocument(trx, company.ctx, less.id, any));
    const second = await rectify(first.id);
    assert.deepEqual(
      second.lines.map(({ quantity, price }) => [quantity, price]),
      [
        [-2, 90],
        [2, 90],
      ],
    );
    await restate(second, [services(95, { quantity: 2 })]);
    await post(second.id);
    const again = await record(second.id);
    assert.deepEqual(
      [again.total, again.replaced?.base, again.rectified?.[0]?.number],
      ['229.90', '180.00', replacing.code],
    );
    await company.run((trx) => cancelDocument(trx, company.ctx, second.id, any));
    await company.run((trx) => cancelDocument(trx, company.ctx, first.id, any));
    const { rectifiedBy } = (await company.run((trx) => readDocument(trx, sold.id))) as unknown as {
      rectifiedBy: Row[];
    };
    assert.deepEqual(rectifiedBy, []);
  });

  it('of an exchanged invoice names the full one and its recipient', async () => {
    const sold = await issue([services(20)], { partnerId: company.customerId });
    const as = { partnerId: customer, billingAddress, ...any };
    const { fullInvoice } = await company.run((trx) => issueFullInvoice(trx, company.ctx, sold.id, as));
    const draft = await rectify(sold.id);
    await restate(draft, [services(25)]);
    await post(draft.id);
    const made = await record(draft.id);
    assert.deepEqual(
      [made.type, made.rectification, made.rectified?.[0]?.number, made.recipients?.[0]?.taxId, made.replaced?.base],
      ['R1', 'S', fullInvoice?.code, 'A58818501', '20.00'],
    );
  });

  it('is of at most 500 lines, since each occurs twice', async () => {
    const sold = await issue(Array.from({ length: 501 }, () => services(1)));
    await faults(rectify(sold.id), '/rectificationMethod too_many');
  });

  it('does not let the notes of its invoice be invoiced again', async () => {
    await company.stockUp(company.itemId, 5);
    const note = (await company.run((trx) =>
      createDocument(trx, company.ctx, 'SDN', {
        partnerId: customer,
        lines: [{ itemId: company.itemId, quantity: 2, price: 10 }],
      } as never),
    )) as unknown as Made;
    const invoice = (await company.run((trx) =>
      createFollowUp(trx, company.ctx, note.id, 'invoice', {} as never, { docType: 'SDN', ...any }),
    )) as unknown as Made;
    await patch(invoice.id, { billingAddress });
    await post(invoice.id);
    const draft = await rectify(invoice.id);
    const [back, stated] = draft.lines;
    await patch(draft.id, { lines: [{ id: back?.id }, { id: stated?.id, price: 9 }] });
    await post(draft.id);
    await assert.rejects(
      company.run((trx) =>
        createFollowUp(trx, company.ctx, note.id, 'invoice', {} as never, { docType: 'SDN', ...any }),
      ),
      { code: 'nothing_open' },
    );
    assert.deepEqual(await company.rows('select sum(quantity)::int as stock from stock_movements', []), [{ stock: 3 }]);
  });
});
