import assert from 'node:assert/strict';
import { use, useApp } from '../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../helpers/payrolls.ts';
import { openBooks } from '../ledger/accounting/books.ts';
import { openTill } from '../trade/payments/till.ts';
import { fingerprint, mark, shown } from './written.ts';

type Body = Record<string, unknown>;

describe('previews of work in the background', () => {
  const app = useApp();
  const till = use(() => openTill(app));

  /** A preview, which must leave everything as it is. */
  async function preview(path: string, body: object) {
    const before = await fingerprint(app);
    const answer = await app.client.post(`${path}?preview=true`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(await fingerprint(app), before);
    return answer.body.data;
  }

  it('of a month of payrolls shows each payroll and its entry', async () => {
    await app.client.post('/api/periods/generate', { year: 2026 });
    for (const name of ['Ana', 'Berta']) await hire(app, { name });
    const body = { year: 2026, month: 3, post: true };
    const previewed = await preview('/api/payrolls/generate', body);
    assert.equal(previewed.complete, true);
    const { since } = await mark(app);
    await generate(app, body);
    assert.deepEqual(shown(previewed).entries, (await since()).entries);
    const net = (payrolls: Body[]) => payrolls.map(({ net }) => net).sort();
    assert.deepEqual(net(previewed.document), net((await listPayrolls(app, 'year=2026&month=3')) as unknown as Body[]));
  });

  it('of matching all open payments shows its decisions', async () => {
    const { id, code } = await till.invoice('sales', 75);
    const payment = await till.pay('in', 75, { reference: code });
    assert.equal(payment.status, 201);
    const { document, complete } = await preview('/api/payments/reconciliation/run', { mode: 'by_reference' });
    assert.equal(complete, true);
    const [decision] = document.decisions;
    assert.deepEqual(
      [decision.payment_id, decision.applied, decision.documents[0].document_id],
      [payment.body.data.id, 75, id],
    );
  });

  it('of a payment that is to be matched shows what it would settle', async () => {
    const { id } = await till.invoice('sales', 33, { reference: 'PED-33' });
    const { document } = await preview('/api/payments/in', {
      partner_id: till.customerId,
      amount: 33,
      payment_date: till.today,
      payment_method: 'transfer',
      reference: 'PED-33',
      auto_reconcile: true,
    });
    assert.deepEqual(
      document.linked_documents.map(({ document_id, amount_applied }: Body) => [document_id, amount_applied]),
      [[id, 33]],
    );
  });
});

describe('previews of the end of a year', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const YEAR = 2025;

  it('show the closing entries, which the closing then makes', async () => {
    await app.client.post('/api/periods/generate', { year: YEAR });
    const lines = [
      { accountId: books.account('572'), debit: 80 },
      { accountId: books.account('700'), credit: 80 },
    ];
    await books.make('/api/journal-entries', { date: `${YEAR}-05-10`, lines, post: true });
    const path = `/api/fiscal-years/${YEAR}/close`;
    const before = await fingerprint(app);
    const { status, body } = await app.client.post(`${path}?preview=true`, {});
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(await fingerprint(app), before);
    const { since } = await mark(app);
    assert.equal((await app.client.post(path, {})).status, 200);
    assert.ok(body.data.entries.length >= 2);
    assert.deepEqual(shown(body.data), await since());
  });

  it('show the settlement of a tax return', async () => {
    const filed = { model: '303', year: 2026, period: '1T' };
    await app.client.post('/api/periods/generate', { year: 2026 });
    const before = await fingerprint(app);
    const preview = await app.client.post('/api/tax-returns?preview=true', filed);
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    assert.equal(await fingerprint(app), before);
    const { since } = await mark(app);
    assert.equal((await app.client.post('/api/tax-returns', filed)).status, 201);
    assert.deepEqual(shown(preview.body.data), await since());
  });
});
