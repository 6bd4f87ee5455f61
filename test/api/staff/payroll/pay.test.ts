/** Payrolls that are paid, come back, and are ordered at the bank, over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { IBAN } from '../../../helpers/bank-files.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { companyDay, daysFrom } from '../../../helpers/clock.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

type Row = Record<string, unknown> & { readonly id: string };

/** An employee's account. */
const THEIRS = 'ES7921000813610123456789';
const ANA = { name: 'Ana Ruiz Peña', hireDate: '2020-01-01', grossAnnualSalary: 23800, contributionGroup: 5 };
const PATH = '/api/payrolls';
const MONTH = { year: 2026, month: 1 };
const TOMORROW = daysFrom(companyDay(), 1);

/** The faults of a refusal: where and what. */
const answerFaults = ({ body }: Answer) =>
  (body as { errors: { pointer: string; code: string }[] }).errors.map(({ pointer, code }) => [pointer, code]);

describe('paid payrolls', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK, env: { ENCRYPTION_KEY } }));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  let bookkeeper: TestClient;
  before(async () => {
    await app.client.post('/api/periods/generate', { year: MONTH.year });
    await made('/api/config/bank-accounts', { name: 'Main', iban: IBAN });
    const login = { email: 'carla@example.test', password: 'a long password 1' };
    await made('/api/users', { ...login, name: 'Carla', role: 'accountant' });
    const session = await app.anonymous.post('/api/auth/login', login);
    bookkeeper = app.as(session.body.token);
  });
  /** Ana, Bea, both with an account, and Carl, who has none. */
  const people = use(async () => {
    const ids = [];
    for (const more of [{ iban: THEIRS }, { name: 'Bea', iban: THEIRS }, { name: 'Carl' }])
      ids.push((await made('/api/employees', { ...ANA, ...more })).id);
    return { ids };
  });

  async function made(path: string, body: object): Promise<Row> {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  /** The payrolls of everybody in a month, posted; in the order of the people. */
  async function posted(month: number): Promise<(Row & { net: number })[]> {
    const { body } = await app.client.post(`${PATH}/generate`, { ...MONTH, month, post: true });
    await eventually(async () => {
      const { data } = (await app.client.get(`/api/tasks/${body.task_id}`)).body;
      assert.equal(data.status, 'completed', JSON.stringify(data));
    }, 60_000);
    const { data } = (await app.client.get(`${PATH}?month=${month}`)).body;
    return people.ids.map((id) => data.find(({ employeeId }: Row) => employeeId === id));
  }
  const rowIds = (rows: readonly Row[]) => rows.map(({ id }) => id);
  const pay = (ids: readonly string[], more: object = {}, headers = {}) =>
    app.client.post(`${PATH}/pay`, { ids, date: '2026-09-30', ...more }, headers);
  const order = (ids: readonly string[], more: object = {}) =>
    app.client.post(`${PATH}/sepa`, { ids, date: TOMORROW, ...more });
  const payroll = async (id: string) => (await app.client.get(`${PATH}/${id}`)).body.data;

  it('have one payment each, which names nobody and clears the debt', async () => {
    const rows = await posted(1);
    const { status, body } = await pay(rowIds(rows), {}, { 'Idempotency-Key': 'january' });
    assert.equal(status, 200, JSON.stringify(body));
    const again = await pay(rowIds(rows), {}, { 'Idempotency-Key': 'january' });
    assert.deepEqual(again.body, body);
    assert.deepEqual(
      body.data.map(({ payrollId, amount }: Row) => [payrollId, amount]),
      rows.map(({ id, net }) => [id, net]),
    );
    for (const [index, { id, version }] of rows.entries()) {
      const now = await payroll(id);
      assert.deepEqual([now.paymentId, now.version], [body.data[index].paymentId, (version as number) + 1]);
    }
    const { data: payments } = (await bookkeeper.get('/api/payments/out')).body;
    assert.equal(payments.length, rows.length);
    const seen = JSON.stringify(payments) + JSON.stringify((await bookkeeper.get('/api/journal-entries')).body);
    assert.ok(seen.includes('Nómina 2026-01') && !/Ana|Bea|Carl\b|ES79/.test(seen), seen);
    const { data: open } = (await bookkeeper.get('/api/open-items?outstanding[gt]=0')).body;
    assert.deepEqual(open, []);
    assertProblem(await app.client.post(`${PATH}/${rows[0]?.id}/cancel`, {}), 409, 'in_use');
  });

  it('are rejected as a whole if one cannot be paid', async () => {
    const [ana, bea] = await posted(2);
    await pay([bea?.id ?? '']);
    await app.client.post(`${PATH}/generate`, { ...MONTH, month: 3 });
    const draft = await eventually(async () => {
      const { data } = (await app.client.get(`${PATH}?month=3&status=D`)).body;
      assert.equal(data.length, 3);
      return data[0];
    });
    const refused = await pay([ana?.id ?? '', bea?.id ?? '', draft.id]);
    assertProblem(refused, 409, 'invalid_transition');
    assert.deepEqual(answerFaults(refused), [
      ['/ids/1', 'paid'],
      ['/ids/2', 'draft'],
    ]);
    assert.equal((await payroll(ana?.id ?? '')).paymentId, null);
    const unknown = '01980000-0000-7000-8000-000000000000';
    const bad: [Answer, string, string][] = [
      [await pay([ana?.id ?? '', unknown]), '/ids/1', 'invalid_reference'],
      [await pay([ana?.id ?? '', (ana?.id ?? '').toUpperCase()]), '/ids/1', 'duplicate'],
      [await pay([ana?.id ?? ''], { bankAccountId: unknown }), '/bankAccountId', 'invalid_reference'],
      [await pay([ana?.id ?? ''], { date: '1801-01-01' }), '/date', 'no_period'],
      [await pay([]), '/ids', 'too_few'],
    ];
    for (const [answer, pointer, code] of bad) {
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      assert.deepEqual(answerFaults(answer)[0], [pointer, code]);
    }
    assertProblem(await bookkeeper.post(`${PATH}/pay`, { ids: [ana?.id], date: TOMORROW }), 403, 'forbidden');
  });

  it('can be paid again once their payment is deleted or returned', async () => {
    const [ana, bea, carl] = rowIds(await posted(4)) as [string, string, string];
    const { data } = (await pay([ana, bea, carl])).body;
    const [first, second] = data.map(({ paymentId }: Row) => `/api/payments/out/${paymentId}`);
    assert.equal((await bookkeeper.del(first)).status, 204);
    assert.equal((await payroll(ana)).paymentId, null);
    const back = await bookkeeper.post(`${second}/return`, { date: '2026-10-02' });
    assert.equal(back.status, 201, JSON.stringify(back.body));
    assert.equal((await payroll(bea)).paymentId, null);
    // The return was a mistake: the payroll is paid by what paid it before.
    assert.equal((await bookkeeper.del(`/api/payments/in/${back.body.data.id}`)).status, 204);
    assert.equal((await payroll(bea)).paymentId, data[1].paymentId);
    assert.deepEqual(answerFaults(await pay([ana, bea])), [['/ids/1', 'paid']]);
    assert.equal((await pay([ana])).status, 200);
    const log = (await app.client.get(`/api/audit-logs?entityId=${ana}&sort=createdAt`)).body.data;
    assert.ok(log.length >= 4, JSON.stringify(log));
  });

  it('can be paid by a payment that names the open items, which orders no transfer of several or in cash', async () => {
    const [ana, bea, carl] = await posted(5);
    const { data: items } = (await bookkeeper.get('/api/open-items?reference=N%C3%B3mina%202026-05')).body;
    const part = (amount: number, payment_method: string) => ({
      partner_id: items[0].partner_id,
      amount,
      payment_date: '2026-09-30',
      payment_method,
    });
    const of = async (row: (Row & { net: number }) | undefined, amount_applied: number) => {
      const { entryId } = await payroll(row?.id ?? '');
      const { id } = items.find(({ entry_id }: Row) => entry_id === entryId);
      return { document_type: 'open_item', document_id: id, amount_applied };
    };
    const [net, half] = [ana?.net ?? 0, 500];
    const linked_documents = [await of(ana, net), await of(bea, half)];
    const answer = await bookkeeper.post('/api/payments/out', { ...part(net + half, 'transfer'), linked_documents });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal((await payroll(ana?.id ?? '')).paymentId, answer.body.data.id);
    assert.equal((await payroll(bea?.id ?? '')).paymentId, null);
    const rest = await pay([bea?.id ?? '']);
    assert.equal(rest.body.data[0].amount, Math.round(((bea?.net ?? 0) - half) * 100) / 100);
    const inCash = { ...part(carl?.net ?? 0, 'cash'), linked_documents: [await of(carl, carl?.net ?? 0)] };
    assert.equal((await bookkeeper.post('/api/payments/out', inCash)).status, 201);
    // Ordering Ana's payment would transfer Bea's part to her as well.
    const refused = await order(rowIds([ana, bea, carl] as Row[]));
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code, message }: Record<string, string>) => [pointer, code, message]),
      [
        ['/ids/0', 'wrong_type', 'is paid together with others by one payment'],
        ['/ids/2', 'wrong_type', 'is paid by cash, not by transfer'],
      ],
    );
    const { status, body } = await order([bea?.id ?? '']);
    assert.deepEqual([status, body.data?.total], [201, rest.body.data[0].amount], JSON.stringify(body));
  });

  it('are ordered once; purpose, names and accounts are visible only with permission for salaries', async () => {
    const [ana, bea, carl] = await posted(7);
    const both = rowIds([ana, bea] as Row[]);
    assert.deepEqual(answerFaults(await order(both)), [
      ['/ids/0', 'not_paid'],
      ['/ids/1', 'not_paid'],
    ]);
    const paid = await pay([...both, carl?.id ?? '']);
    assert.deepEqual(answerFaults(await order([...both, carl?.id ?? ''])), [['/ids/2', 'no_iban']]);
    assert.deepEqual(answerFaults(await order(both, { bankAccountId: ana?.id })), [
      ['/bankAccountId', 'invalid_reference'],
    ]);
    assert.deepEqual(answerFaults(await order(both, { date: '2026-01-01' })), [['/date', 'out_of_range']]);
    for (const version of ['03', '09']) {
      const { status, body } = await order(both, { version, repeat: version === '09' });
      assert.equal(status, 201, JSON.stringify(body));
      const sum = (Math.round((ana?.net ?? 0) * 100) + Math.round((bea?.net ?? 0) * 100)) / 100;
      assert.deepEqual([body.data.kind, body.data.count, body.data.total], ['salaries', 2, sum]);
      const file = await fetch(`${app.address}${body.data.file_url}`, {
        headers: { Authorization: `Bearer ${app.token}` },
      });
      const xml = await file.text();
      for (const part of [
        `<NbOfTxs>2</NbOfTxs><CtrlSum>${sum.toFixed(2)}</CtrlSum>`,
        '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><CtgyPurp><Cd>SALA</Cd></CtgyPurp></PmtTpInf>',
        `<Nm>Ana Ruiz Pena</Nm></Cdtr><CdtrAcct><Id><IBAN>${THEIRS}</IBAN>`,
        `<EndToEndId>${paid.body.data[0].paymentId.replaceAll('-', '')}</EndToEndId>`,
        '<Ustrd>Nomina 2026-07</Ustrd>',
      ])
        assert.ok(xml.includes(part), `${part} is not in ${xml}`);
      const shown = await bookkeeper.get(`/api/payments/sepa/orders/${body.data.id}`);
      assert.equal(shown.status, 200);
      assert.ok(!/Ana|ES79/.test(JSON.stringify(shown.body)));
      assertProblem(await bookkeeper.get(body.data.file_url), 403, 'forbidden');
    }
    const twice = await order(both);
    assertProblem(twice, 409, 'duplicate');
    assert.deepEqual(answerFaults(twice)[0], ['/ids/0', 'duplicate']);
  });
});
