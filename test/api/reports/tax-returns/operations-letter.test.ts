/** Letters on the operations of a year: what model 347 declares, confirmed by the partner (decision 0349). */
import assert from 'node:assert/strict';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';
import { openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

describe('the letter on the operations of a year', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  /** A partner who buys and sells, one below the limit, and one whose tax is withheld. */
  const books = use(async () => {
    const opened = await openReports(app);
    const { invoice, make, taxes } = opened;
    const group = await make('/api/partnerGroups', { code: 'ALL', name: 'All', isCustomer: true, isVendor: true });
    const partner = async (name: string, more: Body = {}) =>
      (await make('/api/partners', { name, groupId: group.id, ...more })).id as string;
    const [both, small, none] = [
      await partner('Harbour Ltd', { nif: 'B64717838', language: 'en', email: 'harbour@example.test' }),
      await partner('Bar Luna'),
      await partner('Nadie'),
    ];
    const taxed = { taxGroupId: taxes.get('IVA21') };
    await invoice('sales', '2025-12-31', 9000, { partnerId: both }, taxed);
    await invoice('sales', '2026-02-10', 2000, { partnerId: both }, taxed);
    await invoice('purchases', '2026-05-10', 100, { partnerId: both, supplierReference: 'F-1' }, taxed);
    await invoice('sales', '2026-05-10', 100, { partnerId: small }, taxed);
    await invoice('sales', '2026-05-11', 9000, { partnerId: small, withholdingRate: 15 }, taxed);
    await invoice('sales', '2026-08-10', 1000, { partnerId: both }, taxed);
    await invoice('sales', '2026-08-11', 500, { partnerId: both, vatRegime: 'reverse_charge' });
    return { ...opened, both, small, none };
  });
  const read = async (partnerId: string, more = ''): Promise<Data> =>
    await books.report('operations-letter', `partner_id=${partnerId}&year=2026${more}`);
  const shown = async (partnerId: string) =>
    (await read(partnerId)).data.rows.map((row: Data) => [
      row.key,
      row.reverse_charge,
      [row.q1, row.q2, row.q3, row.q4, row.total],
      row.declared,
    ]);

  it('has what model 347 has of the partner, and what is below its limit', async () => {
    assert.deepEqual(await shown(books.both), [
      ['A', false, [0, 121, 0, 0, 121], false],
      ['B', false, [2420, 0, 1210, 0, 3630], true],
      ['B', true, [0, 0, 500, 0, 500], true],
    ]);
    assert.deepEqual(await shown(books.small), [['B', false, [0, 121, 0, 0, 121], false]]);
    assert.deepEqual(await shown(books.none), []);
    const { data, summary } = await read(books.both, '&reply_by=2027-02-15');
    assert.deepEqual(summary, { sales: 4130, purchases: 121 });
    assert.equal(data.reply_by, '2027-02-15');
    const model: Data = await books.report('tax/model347', 'year=2026');
    const declared = data.rows.filter((row: Data) => row.declared);
    assert.deepEqual(
      declared.map(({ declared: _, ...row }: Data) => row),
      model.data.rows,
    );
    const csv = await readCsv(
      await download(app, `/api/reports/operations-letter?partner_id=${books.both}&year=2026&format=csv`),
      ';',
    );
    assert.equal(csv.length, 3);
  });

  it("is a page in the partner's language", async () => {
    const page = async (partnerId: string) => {
      const path = `/api/reports/operations-letter?partner_id=${partnerId}&year=2026&reply_by=2027-02-15&format=pdf`;
      return await pdfText(new Uint8Array(await (await download(app, path)).arrayBuffer()));
    };
    const english = await page(books.both);
    for (const part of [
      'Letter on the operations',
      'Harbour Ltd',
      '3,630.00',
      'with reverse charge',
      'these amounts by 15 Feb 2027',
    ])
      assert.ok(english.includes(part), `${part}: ${english}`);
    const spanish = await page(books.small);
    for (const part of [
      'Carta sobre las operaciones',
      'Nuestras ventas, IVA incluido, no se declaran',
      '121,00',
      '15/02/2027',
    ])
      assert.ok(spanish.includes(part), `${part}: ${spanish}`);
    assert.ok((await page(books.none)).includes('Ninguna'));
  });

  it("is mailed to the partner, in the partner's language", async () => {
    const path = `/api/partners/${books.both}/operations-letter/send`;
    const started = await app.client.post(path, { year: 2026, replyBy: '2027-02-15' });
    assert.equal(started.status, 202, JSON.stringify(started.body));
    await eventually(async () => {
      const { status } = (await app.client.get(`/api/tasks/${started.body.task_id}`)).body.data;
      assert.equal(status, 'completed');
    }, 60_000);
    const mails = await app.database.withTenant(app, (trx) => trx('emails').where({ kind: 'report' }));
    const said = mails.map((mail) => [mail.subject.split(' – ')[0], /^Please find attached/.test(mail.text)]);
    assert.deepEqual(said, [['Letter on the operations of the year', true]]);
  });

  it('needs a partner, and an address to be mailed to', async () => {
    assertProblem(await app.client.get('/api/reports/operations-letter'), 400, 'invalid_parameter');
    assertProblem(await app.client.get(`/api/reports/operations-letter?partner_id=${UNKNOWN}`), 404, 'not_found');
    const send = (id: string, body: Body) => app.client.post(`/api/partners/${id}/operations-letter/send`, body);
    const missing = await send(books.small, {});
    assertProblem(missing, 422, 'validation_failed');
    assert.equal(missing.body.errors[0].pointer, '/to');
    assert.equal((await send(books.small, { to: 'nobody' })).body.errors[0].pointer, '/to');
    assertProblem(await send(UNKNOWN, { to: 'a@example.test' }), 404, 'not_found');
  });
});
