/** Bank lines and direct debits of invoices that are due in parts. */
import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const THEIRS = 'ES7921000813610123456789';

describe('bank lines and instalments', function () {
  this.timeout(120_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  let terms: string;
  const made = async (path: string, body: Row) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  before(async () => {
    await desk.openAccount({ bic: 'CAIXESBBXXX' });
    await app.client.patch(`/api/partners/${trade.customerId}`, { iban: THEIRS });
    const mandate = { reference: 'M-1', signedOn: '2026-01-02', iban: THEIRS };
    await made(`/api/partners/${trade.customerId}/mandates`, mandate);
    // Today, in 30 days, in 60.
    const lines = [{ percent: 30, days: 0 }, { percent: 30, days: 30 }, { days: 60 }];
    terms = (await made('/api/payment-terms', { code: 'T', name: '30/30/40', lines })).id;
  });
  afterEach(() => assertSound(app.databaseUrl));

  const invoice = async (price: number) => {
    const lines = [{ description: 'Servicio', quantity: 1, price, taxGroupId: trade.taxGroupId }];
    const body = { partnerId: trade.customerId, paymentTermsId: terms, lines };
    const { id } = await made('/api/sales/invoices', body);
    return (await made(`/api/sales/invoices/${id}/post`, {})).id as string;
  };
  const open = async (id: string) =>
    (await app.client.get(`/api/sales/invoices/${id}`)).body.data.instalments.map((one: Row) => one.outstanding);

  it('match a line with the amount of an instalment, and settle it when accepted', async () => {
    const id = await invoice(100); // 121: 36.30, 36.30 and 48.40
    const [lineId = ''] = await desk.importLines(TODAY, [sampleLine({ amount: '48.4', counterpartyIban: THEIRS })]);
    const [best] = (await desk.line(lineId)).suggestions;
    assert.deepEqual([best.documents[0].document_id, best.documents[0].instalment], [id, 3]);
    assert.match(best.reason, /the amount equals its instalment 3/);
    const accepted = await desk.accept([{ line_id: lineId, suggestion: true }], { least_score: 50 });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.deepEqual(await open(id), [36.3, 36.3, 0]);
  });

  it('collect instalments due by a day, each separately and once', async () => {
    const id = await invoice(1000); // 1,210: 363, 363 and 484
    const sepa = '/api/payments/sepa/direct-debits';
    const order = (date: string, more: Row = {}) => app.client.post(sepa, { document_ids: [id], date, ...more });
    const items = ({ body }: { body: { data: { items: Row[] } } }) =>
      body.data.items.map(({ instalment, amount, end_to_end_id }) => [instalment, amount, end_to_end_id]);
    const compact = id.replaceAll('-', '');
    const first = await order(TODAY);
    assert.deepEqual([first.status, items(first)], [201, [[1, 363, `${compact}.1`]]]);
    assertProblem(await order(TODAY), 409, 'duplicate');
    const [lineId = ''] = await desk.importLines(TODAY, [sampleLine({ amount: '363', bankReference: 'D1' })]);
    await desk.accepted({ line_id: lineId, order_id: first.body.data.id });
    assert.deepEqual(await open(id), [0, 363, 484]);
    const early = await order(TODAY);
    assert.deepEqual([early.status, early.body.errors[0].code], [422, 'nothing_due']);
    const later = new Date(Date.parse(TODAY) + 60 * 86_400_000).toISOString().slice(0, 10);
    const second = await order(later);
    assert.deepEqual(items(second), [
      [2, 363, `${compact}.2`],
      [3, 484, `${compact}.3`],
    ]);
    const both = await desk.importLines(TODAY, [sampleLine({ amount: '847', bankReference: 'D2' })]);
    await desk.accepted({ line_id: both[0] ?? '', order_id: second.body.data.id });
    const paid = (await app.client.get(`/api/sales/invoices/${id}`)).body.data;
    assert.deepEqual([paid.status, paid.paidTotal, await open(id)], ['C', 1210, [0, 0, 0]]);
  });
});
