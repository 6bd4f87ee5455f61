import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly seq: number;
  readonly number: string;
  readonly type: string | null;
  readonly total: number | null;
  readonly generatedAt: string;
  readonly hash: string;
  readonly previousHash: string | null;
  readonly qrUrl: string | null;
  readonly record: {
    readonly invoice: { readonly issuer: string };
    readonly rectification?: string;
    readonly rectified?: readonly { readonly number: string }[];
    readonly recipients?: readonly object[];
  };
}

describe('records of issued invoices', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 0));
  let customerId: string;

  before(async () => {
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, address: 'Calle Mayor 1', city: 'Madrid' });
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    const customer = { name: 'Cliente SA', groupId, nif: 'A58818501' };
    customerId = (await app.client.post('/api/partners', customer)).body.data.id;
  });

  const invoice = async (price: number, more: object = {}) => {
    const lines = [{ description: 'Transporte', quantity: 1, price }];
    const address = { billingAddress: { street: 'Gran Vía 2', city: 'Madrid' } };
    const sent = { partnerId: customerId, lines, ...address, ...more };
    const { status, body } = await app.client.post('/api/sales/invoices', sent);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id as string;
  };
  const post = (id: string, query = '') => app.client.post(`/api/sales/invoices/${id}/post${query}`);
  const issue = async (price: number, more: object = {}) => {
    const id = await invoice(price, more);
    const { status, body } = await post(id);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as { id: string; code: string; date: string };
  };
  const records = async (query = ''): Promise<Shown[]> =>
    (await app.client.get(`/api/verifactu/records?limit=100${query}`)).body.data;
  const turn = (body: object) => app.client.put('/api/config/verifactu', body);

  it('are not made before the company wants them', async () => {
    await issue(10);
    assert.deepEqual(await records(), []);
  });

  it('are wanted by Spanish companies with a tax id alone', async () => {
    const other = { name: 'Autre SARL', taxId: 'FR40303265045', country: 'FR' };
    const { body } = await app.client.post('/api/tenants', other);
    const refused = await app.as(app.token, body.data.id).put('/api/config/verifactu', { enabled: true });
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/enabled', 'not_spanish']],
    );
    const outside = await turn({ enabled: true, outside: 'sii' });
    assertProblem(outside, 422, 'validation_failed');
    assert.equal(outside.body.errors[0].code, 'outside');
    assert.equal((await turn({ outside: 'navarre' })).status, 200);
    const state = async () => (await app.client.get('/api/verifactu')).body.data;
    assert.deepEqual([(await state()).outside, (await state()).mandatoryFrom], ['navarre', null]);
    assert.equal((await turn({ enabled: true })).status, 200);
    assert.deepEqual([(await state()).outside, (await state()).mandatoryFrom], [null, '2027-01-01']);
    assert.equal((await turn({ enabled: true, mandatoryFrom: '2028-10-01' })).status, 200);
    assert.equal((await state()).mandatoryFrom, '2028-10-01');
  });

  it('are downloaded as one file, in which each is checked', async () => {
    const file = async () => {
      const { body } = await app.client.get('/api/verifactu/chain');
      return String(body)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    assert.deepEqual((await file()).slice(1), [{ records: 0, faulty: 0, isIntact: true }]);
    await issue(20);
    await issue(30);
    const [head, ...rest] = await file();
    assert.equal(head.company.taxId, 'B12345674');
    assert.deepEqual(
      rest.map(({ seq, faults, status }) => [seq, faults, status]),
      [
        [1, [], 'queued'],
        [2, [], 'queued'],
        [undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(rest.at(-1), { records: 2, faulty: 0, isIntact: true });
  });

  it('are made with the posting, and say what was invoiced', async () => {
    const { code, date } = await issue(100);
    const [record, before] = await records();
    assert.deepEqual(
      [record?.kind, record?.seq, record?.number, record?.type, record?.total, record?.previousHash],
      ['registration', 3, code, 'F1', 121, before?.hash],
    );
    const issuer = record?.record.invoice.issuer;
    assert.deepEqual(record?.record, {
      invoice: { issuer, number: code, date },
      issuerName: 'Almacenes Prueba SL',
      type: 'F1',
      description: 'Transporte',
      recipients: [{ name: 'Cliente SA', taxId: 'A58818501' }],
      details: [{ tax: '01', regime: '01', qualification: 'S1', rate: '21.00', base: '100.00', amount: '21.00' }],
      taxTotal: '21.00',
      total: '121.00',
    });
    const [year, month, day] = date.split('-');
    assert.equal(
      record?.qrUrl,
      `https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=${issuer}&numserie=${code}&fecha=${day}-${month}-${year}&importe=121.00`,
    );
    assert.match(String(record?.generatedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+]0[12]:00$/);
  });

  it('are shown on their invoice, from the posting on', async () => {
    const id = await invoice(100);
    assert.equal((await app.client.get(`/api/sales/invoices/${id}`)).body.data.verifactu, null);
    const posted = (await post(id)).body.data;
    const [record] = await records(`&documentId=${id}`);
    assert.deepEqual(posted.verifactu, {
      recordId: record?.id,
      kind: 'registration',
      status: 'queued',
      hash: record?.hash,
      csv: null,
      qrUrl: record?.qrUrl,
      errors: [],
    });
    assert.deepEqual((await app.client.get(`/api/sales/invoices/${id}`)).body.data, posted);
    const cancelled = (await app.client.post(`/api/sales/invoices/${id}/cancel`)).body.data;
    assert.deepEqual([cancelled.verifactu.kind, cancelled.verifactu.qrUrl], ['annulment', record?.qrUrl]);
    assert.deepEqual((await app.client.get(`/api/sales/invoices/${id}`)).body.data, cancelled);
  });

  it('are no part of a preview', async () => {
    const before = await records();
    assert.equal((await post(await invoice(5), '?preview=true')).status, 200);
    assert.deepEqual(await records(), before);
  });

  it('follow each other in one chain, whoever posts at once, and with them their annulments', async () => {
    const before = (await records()).length;
    const drafts = await Promise.all(Array.from({ length: 16 }, (_, at) => invoice(at + 1)));
    const answers = await Promise.all(drafts.map((id) => post(id)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal((await app.client.post(`/api/sales/invoices/${drafts[0]}/cancel`)).status, 200);
    const chain = (await records()).sort((one, other) => one.seq - other.seq);
    assert.deepEqual(
      chain.map(({ seq }) => seq),
      Array.from({ length: before + 17 }, (_, at) => at + 1),
    );
    assert.deepEqual(
      chain.slice(1).map(({ previousHash }) => previousHash),
      chain.slice(0, -1).map(({ hash }) => hash),
    );
    assert.deepEqual([chain.at(-1)?.kind, chain.at(-1)?.number], ['annulment', answers[0]?.body.data.code]);
    assert.deepEqual((await records(`&documentId=${drafts[0]}`)).map(({ kind }) => kind).sort(), [
      'annulment',
      'registration',
    ]);
  });

  it('of rectifying invoices name the one that is rectified', async () => {
    const first = await issue(50);
    const { body } = await app.client.post(`/api/sales/invoices/${first.id}/rectify`, { reason: 'Discount' });
    const { status, body: posted } = await post(body.data.id);
    assert.equal(status, 200, JSON.stringify(posted));
    const [record] = await records(`&documentId=${body.data.id}`);
    assert.deepEqual(
      [
        record?.type,
        record?.record.rectification,
        record?.record.rectified?.map(({ number }) => number),
        record?.total,
      ],
      ['R1', 'I', [first.code], -60.5],
    );
  });

  it('of rectifying invoices have the type that is stated, but of simplified ones their own', async () => {
    const typed = async (of: { id: string }, rectificationType: string) => {
      const terms = { reason: 'Unpaid', rectificationType };
      const { body } = await app.client.post(`/api/sales/invoices/${of.id}/rectify`, terms);
      const { id, rectificationType: kept } = body.data;
      const changed = await app.client.patch(`/api/sales/invoices/${id}`, { notes: 'As agreed' });
      assert.deepEqual([kept, changed.body.data.rectificationType], [rectificationType, rectificationType]);
      assert.equal((await post(id)).status, 200);
      return (await records(`&documentId=${id}`))[0]?.type;
    };
    assert.equal(await typed(await issue(50), 'R4'), 'R4');
    assert.equal(await typed(await issue(50, { partnerId: trade.customerId }), 'R2'), 'R5');
    const lines = [{ description: 'Transporte', quantity: 1, price: 1 }];
    const wrong = { partnerId: customerId, lines, rectificationType: 'R2' };
    const refused = await app.client.post('/api/sales/invoices', wrong);
    assertProblem(refused, 422, 'validation_failed');
    assert.equal(refused.body.errors[0].pointer, '/rectificationType');
    const other = await app.client.post('/api/sales/invoices', { ...wrong, rectificationType: 'R5' });
    assertProblem(other, 422, 'validation_failed');
  });

  it('are of full invoices alone that have the addresses of both', async () => {
    const refused = await post(await invoice(10, { billingAddress: { street: 'Gran Vía 2' } }));
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/billingAddress', 'no_address']],
    );
  });

  it('are simplified without a tax id, up to the limit', async () => {
    const small = await issue(300, { partnerId: trade.customerId });
    const [record] = await records(`&documentId=${small.id}`);
    assert.deepEqual([record?.type, record?.record.recipients], ['F2', undefined]);
    const large = await post(await invoice(331, { partnerId: trade.customerId }));
    assertProblem(large, 422, 'validation_failed');
    assert.deepEqual(
      large.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/partnerId', 'verifactu_1150']],
    );
    assert.equal((await turn({ enabled: true, simplifiedLimit: 3000 })).status, 200);
    assert.equal((await issue(331, { partnerId: trade.customerId })).code.length > 0, true);
  });

  it('are given up at the end of a year alone', async () => {
    const year = new Date((await issue(5)).date).getUTCFullYear();
    for (const endsOn of [`${year}-12-30`, `${year + 1}-12-31`]) {
      const refused = await turn({ enabled: true, endsOn });
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].pointer, '/endsOn');
    }
    assert.equal((await turn({ enabled: true, endsOn: `${year}-12-31` })).body.endsOn, `${year}-12-31`);
    assert.equal((await turn({ enabled: true })).body.endsOn, null);
  });

  it('are made until the end of a year that has some', async () => {
    const refused = await turn({ enabled: false });
    assertProblem(refused, 409, 'invalid_transition');
    assert.match(refused.body.detail, /cannot be turned off before the end of/);
    assert.equal((await app.client.get('/api/config/verifactu')).body.enabled, true);
  });

  it('are changed and deleted by nobody', async () => {
    for (const change of ["update verifactu_records set hash = 'X'", 'delete from verifactu_records'])
      await assert.rejects(
        app.database.withTenant({ tenantId: app.tenantId }, (trx) => trx.raw(change)),
        /permission denied/,
      );
  });
});
