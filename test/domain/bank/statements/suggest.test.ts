import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suggest } from '../../../../domain/bank/statements/suggest.ts';
import type { OpenInvoice, OpenOrder, SuggestedLine } from '../../../../domain/bank/statements/suggestion.ts';
import { lineTokens, similarity } from '../../../../domain/bank/statements/words.ts';
import type { Decimal } from '../../../../domain/money.ts';

const partner = { id: 'p1', name: 'Frutas García, S.L.', iban: 'ES7921000813610123456789' };
const invoice = (values: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: 'i1',
  docType: 'SINV',
  code: 'F2026-0012',
  reference: null,
  supplierReference: null,
  date: '2026-01-10',
  outstanding: '121',
  partner,
  ...values,
});
const line = (values: Partial<SuggestedLine> = {}): SuggestedLine => ({
  date: '2026-01-15',
  amount: '121',
  reference: null,
  endToEndId: null,
  text: null,
  counterpartyName: null,
  counterpartyIban: null,
  ...values,
});

describe('suggestions for statement lines', () => {
  it('weigh reference, amount, IBAN and name', () => {
    const score = (values: Partial<SuggestedLine>) => suggest(line(values), { invoices: [invoice()] })[0]?.score;
    assert.equal(score({ endToEndId: 'f2026-0012', counterpartyIban: partner.iban }), 100);
    assert.equal(score({ endToEndId: 'F2026-0012' }), 90);
    assert.equal(score({ text: 'PAGO FRA. F2026-0012, GRACIAS', amount: '50' }), 45);
    assert.equal(score({ counterpartyIban: partner.iban }), 55);
    assert.equal(score({ counterpartyName: 'FRUTAS GARCIA SL' }), 45);
    assert.equal(score({ amount: '120' }), undefined);
    assert.equal(score({ amount: '120', counterpartyName: 'FRUTAS GARCIA SL' }), undefined);
  });

  it('rank a rule below exact names, and above everything else', () => {
    const given = { id: 'r1', name: 'Cobros', accountId: 'a1', accountCode: '759', taxGroupId: null };
    const rule = { ...given, partnerId: null, partnerName: null, projectId: null, costCenterId: null, entryText: null };
    const best = (values: Partial<SuggestedLine>) => suggest(line(values), { invoices: [invoice()], rule })[0];
    // A rule counts 85; amount and IBAN 30 + 25; the reference and the amount 60 + 30.
    assert.deepEqual([best({ counterpartyIban: partner.iban })?.rule?.id, best({})?.score], ['r1', 85]);
    assert.deepEqual([best({ endToEndId: 'F2026-0012' })?.rule, best({ endToEndId: 'F2026-0012' })?.score], [null, 90]);
  });

  it('combine the invoices named in a line if they add up to its amount', () => {
    const two = [invoice(), invoice({ id: 'i2', code: 'F2026-0013', outstanding: '79' })];
    const named = { text: 'F2026-0012 F2026-0013' };
    const [best, ...others] = suggest(line({ ...named, amount: '200' }), { invoices: two });
    assert.deepEqual(
      best?.invoices.map(({ id }) => id),
      ['i1', 'i2'],
    );
    assert.ok(
      others.every(({ score }) => score < (best?.score ?? 0)),
      'the single ones come after',
    );
    assert.equal(
      suggest(line({ ...named, amount: '201' }), { invoices: two }).some(({ invoices }) => invoices.length > 1),
      false,
    );
  });

  it('subtract credits from invoices, and match credits alone for outgoing refunds', () => {
    const credit = invoice({ id: 'r1', code: 'R-1', outstanding: '-21' });
    const netted = suggest(line({ text: 'F2026-0012 menos R-1', amount: '100' }), { invoices: [invoice(), credit] });
    assert.deepEqual(
      netted[0]?.invoices.map(({ id }) => id),
      ['i1', 'r1'],
    );
    assert.deepEqual(suggest(line({ text: 'R-1', amount: '21' }), { invoices: [credit] }), []);
    const [refund] = suggest(line({ text: 'Devolución R-1', amount: '-21' }), { invoices: [credit] });
    assert.deepEqual([refund?.invoices[0]?.id, refund?.score], ['r1', 75]);
    const [bought] = suggest(line({ amount: '21', counterpartyIban: partner.iban }), {
      invoices: [{ ...credit, docType: 'PINV' }],
    });
    assert.equal(bought?.score, 55);
  });

  it("find the only combination of a payer's open invoices if no single one has the amount", () => {
    const three = (['10', '20', '41'] as const).map((outstanding, at) =>
      invoice({ id: `i${at}`, code: `F${at}`, outstanding }),
    );
    const of = (amount: Decimal, iban: string | null = partner.iban) =>
      suggest(line({ amount, counterpartyIban: iban }), { invoices: three }).find(
        ({ invoices }) => invoices.length > 1,
      );
    assert.deepEqual([of('61')?.invoices.map(({ code }) => code), of('61')?.score], [['F1', 'F2'], 55]);
    assert.deepEqual([of('20'), of('62'), of('61', null)], [undefined, undefined, undefined]);
    const alike = [...three, invoice({ id: 'i9', code: 'F9', outstanding: '51' })];
    const two = suggest(line({ amount: '61', counterpartyIban: partner.iban }), { invoices: alike });
    assert.ok(
      two.every(({ invoices }) => invoices.length === 1),
      'of two combinations none is taken',
    );
  });

  it('recognize an order booked as one sum, and a debit by the id of its invoice', () => {
    const order: OpenOrder = {
      id: 'o',
      batch: null,
      kind: 'credit_transfers',
      messageId: '0123456789abcdef0123456789abcdef',
      date: '2026-01-15',
      count: 2,
      total: '121',
      items: [],
    };
    const [best] = suggest(line({ amount: '-121', reference: order.messageId.toUpperCase() }), { orders: [order] });
    assert.deepEqual(
      { id: best?.order?.id, partner: best?.partner, score: best?.score },
      { id: 'o', partner: null, score: 100 },
    );
    assert.equal(suggest(line({ amount: '-121', date: '2026-03-15' }), { orders: [order] })[0]?.score, 55);
    const debited = invoice({ id: '01a1ff1a-4309-7184-aa00-1d2fbca92b09' });
    const [debit] = suggest(line({ endToEndId: '01A1FF1A43097184AA001D2FBCA92B09' }), { invoices: [debited] });
    assert.equal(debit?.score, 90);
  });

  it('prefer a registered payment, by its day and reference', () => {
    const payment = { id: 'p', date: '2026-01-14', reference: 'T-7', partner };
    const [best] = suggest(line({ endToEndId: 'T-7', counterpartyName: 'Frutas Garcia' }), {
      invoices: [invoice()],
      payments: [payment],
    });
    assert.deepEqual(
      { id: best?.payment?.id, invoices: best?.invoices, score: best?.score },
      { id: 'p', invoices: [], score: 100 },
    );
    const far = suggest(line(), { payments: [{ ...payment, date: '2026-03-01' }] });
    assert.deepEqual([far[0]?.score, far[0]?.reasons], [55, ['a payment of this amount is registered']]);
  });

  it('treat up to a week as near', () => {
    const found = (date: string) => {
      const [best] = suggest(line(), { payments: [{ id: 'p', date, reference: null, partner }] });
      return [best?.score, best?.reasons.length];
    };
    for (const near of ['2026-01-08', '2026-01-15', '2026-01-22']) assert.deepEqual(found(near), [70, 2], near);
    for (const far of ['2026-01-07', '2026-01-23']) assert.deepEqual(found(far), [55, 1], far);
  });

  it("combine a payer's invoices only if the line names none, and none has the amount alone", () => {
    const open = [
      invoice({ id: 'i1', code: 'F-1', outstanding: '40' }),
      invoice({ id: 'i2', code: 'F-2', outstanding: '60' }),
    ];
    const together = (values: Partial<SuggestedLine>, more: readonly OpenInvoice[] = []) =>
      suggest(line({ amount: '100', counterpartyIban: partner.iban, ...values }), { invoices: [...open, ...more] })
        .filter(({ invoices }) => invoices.length > 1)
        .map(({ invoices }) => invoices.map(({ id }) => id));
    assert.deepEqual(together({}), [['i1', 'i2']]);
    assert.deepEqual(together({ text: 'A cuenta de F-1' }), [], 'the line says what it is for');
    assert.deepEqual(together({}, [invoice({ id: 'i3', code: 'F-3', outstanding: '100' })]), [], 'one fits alone');
    assert.deepEqual(together({ counterpartyIban: null }), [], 'who pays is not known');
  });

  it('recognize words that may be numbers, whatever separates them', () => {
    const tokens = lineTokens(line({ text: 'Fact:A/77. (B-12)', reference: ' RF18 5390 ' }));
    for (const token of ['rf18 5390', 'a/77', 'b-12', '5390']) assert.ok(tokens.includes(token), token);
  });

  it('compare names by their words', () => {
    assert.equal(similarity('Frutas García, S.L.', 'TRANSF. DE FRUTAS GARCIA SL'), 1);
    assert.equal(similarity('S.L.', 'S.L.'), 0);
  });

  it('are at most five, best first, with reasons, for any texts', () => {
    const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 60 }), { nil: null });
    const lines = fc.record({
      date: fc.constant('2026-01-15'),
      amount: fc.constantFrom('121', '-121', '5'),
      reference: text,
      endToEndId: text,
      text,
      counterpartyName: text,
      counterpartyIban: fc.constantFrom(null, partner.iban),
    });
    const invoices = fc.array(
      fc.record({
        code: fc.string({ minLength: 1, maxLength: 8 }),
        reference: text,
        outstanding: fc.constantFrom('121', '5'),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, invoices, (one, all) => {
        const found = suggest(one, {
          invoices: all.map((values, index) => invoice({ ...values, id: `i${index}` })),
        });
        assert.ok(found.length <= 5, 'five at most');
        for (const [index, { score, reasons, invoices: of }] of found.entries()) {
          assert.ok(score >= 30 && score <= 100 && score <= (found[index - 1]?.score ?? 100), `score ${score}`);
          assert.ok(reasons.length > 0 && of.length > 0, 'with a reason');
        }
      }),
    );
  });
});
