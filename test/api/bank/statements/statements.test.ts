/** Bank statements over HTTP: each line once, whatever comes; suggestions with reasons; nothing kept of what is refused. */
import assert from 'node:assert/strict';
import { BankDesk, bankDay } from '../../../helpers/bank-desk.ts';
import { sampleLine, writeCamt053, writeNorma43 } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const PATH = '/api/bank-statements';
const THEIRS = 'ES7921000813610123456789';

describe('bank statements', function () {
  this.timeout(120_000);
  let accountId: string;

  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  before(async () => {
    accountId = await desk.openAccount();
  });

  const send = (...sent: Parameters<BankDesk['send']>) => desk.send(...sent);
  async function imported(content: string, query = '') {
    const answer = await send(content, query);
    assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body));
    return answer.body.data;
  }
  const get = async (path: string): Promise<Row[]> => (await app.client.get(`${PATH}${path}`)).body.data;
  const count = async () => (await app.client.get(`${PATH}/lines`)).body.pagination.total as number;
  it('are imported with their balances and lines', async () => {
    const lines = [
      sampleLine({ bankReference: 'R1', text: 'Cobro' }),
      sampleLine({ bankReference: 'R1', amount: '-0.5', text: 'Comisión' }),
      sampleLine({ bankReference: 'R2', amount: '7' }),
    ];
    const first = await imported(writeCamt053([bankDay('2026-02-01', lines)]));
    assert.deepEqual(
      { format: first.format, new_lines: first.new_lines, duplicates: first.duplicates },
      { format: 'camt053', new_lines: 3, duplicates: 0 },
    );
    const [statement] = first.statements;
    const shown = (await app.client.get(`${PATH}/${statement.id}`)).body.data;
    assert.deepEqual(
      {
        bank_account_id: shown.bank_account_id,
        opening_balance: shown.opening_balance,
        closing_balance: shown.closing_balance,
        line_count: shown.line_count,
        currency: shown.currency,
      },
      { bank_account_id: accountId, opening_balance: 1000, closing_balance: 1127.5, line_count: 3, currency: 'EUR' },
    );
    const [line] = await get(`/${statement.id}/lines?text=Cobro`);
    assert.deepEqual(
      { amount: line?.amount, status: line?.status, bank_reference: line?.bank_reference, position: line?.position },
      { amount: 121, status: 'open', bank_reference: 'R1', position: 1 },
    );
    const audit = await app.client.get(`/api/audit-logs?entityId=${line?.id}`);
    assert.equal(audit.body.data[0].action, 'CREATE');
  });

  it('contain each line once, even if files are repeated or overlap', async () => {
    const lines = [
      sampleLine({ bankReference: 'S1' }),
      sampleLine({ bankReference: 'S1', amount: '-0.5' }),
      sampleLine({ bankReference: 'S2', amount: '7' }),
    ];
    const file = writeCamt053([bankDay('2026-01-20', lines)]);
    const [statement] = (await imported(file)).statements;
    const again = await imported(file);
    assert.deepEqual(
      { new_lines: again.new_lines, duplicates: again.duplicates, id: again.statements[0].id },
      { new_lines: 0, duplicates: 3, id: statement.id },
    );
    const more = writeCamt053([bankDay('2026-01-20', [...lines, sampleLine({ bankReference: 'S3', amount: '1' })])]);
    const overlapping = await imported(more);
    assert.deepEqual([overlapping.new_lines, overlapping.duplicates], [1, 3]);
    assert.equal((await app.client.get(`${PATH}/${statement.id}`)).body.data.line_count, 3);
  });

  it('answer 201 with an address if anything is new, otherwise 200', async () => {
    const lines = [sampleLine({ bankReference: 'N1' }), sampleLine({ bankReference: 'N2' })];
    const statements = [bankDay('2026-02-08', lines), bankDay('2026-02-09', lines)];
    const first = await send(writeCamt053(statements));
    const [one] = first.body.data.statements;
    assert.deepEqual(
      { status: first.status, location: first.headers.get('Location'), created: one.created },
      { status: 201, location: `${PATH}/${one.id}`, created: true },
    );
    const again = await send(writeCamt053(statements));
    assert.deepEqual(
      { status: again.status, location: again.headers.get('Location'), created: again.body.data.statements[1].created },
      { status: 200, location: null, created: false },
    );
  });

  it('are deleted with their lines, which can be imported again, also in another statement', async () => {
    const lines = [sampleLine({ bankReference: 'D1' }), sampleLine({ bankReference: 'D2', amount: '-3' })];
    const longer = writeCamt053([bankDay('2026-02-10', [...lines, sampleLine({ bankReference: 'D3' })])]);
    const [first] = (await imported(writeCamt053([bankDay('2026-02-10', lines)]))).statements;
    const [second] = (await imported(longer)).statements;
    assert.equal(second.new_lines, 1);
    const [, fee] = await get(`/${first.id}/lines`);
    await desk.accepted({ line_id: fee?.id, account_code: '626' });
    const used = await app.client.del(`${PATH}/${first.id}`);
    assertProblem(used, 409, 'in_use');
    assert.deepEqual(used.body.uses, [{ entityType: 'BankStatementLine', count: 1 }]);
    assert.equal((await get(`/${first.id}/lines`)).length, 2);

    assert.equal((await desk.reopen([String(fee?.id)])).status, 200);
    assertProblem(await app.client.del(`${PATH}/${first.id}`, { 'If-Match': '"9"' }), 412, 'stale_version');
    assert.equal((await app.client.del(`${PATH}/${first.id}`)).status, 204);
    assertProblem(await app.client.get(`${PATH}/${first.id}`), 404, 'not_found');
    assertProblem(await app.client.del(`${PATH}/${first.id}`), 404, 'not_found');
    const audit = await app.client.get(`/api/audit-logs?entityId=${fee?.id}&action=DELETE`);
    assert.equal(audit.body.data[0].oldValue.amount, -3);

    const again = await send(longer);
    assert.deepEqual([again.status, again.headers.get('Location')], [201, `${PATH}/${second.id}`]);
    assert.deepEqual([again.body.data.new_lines, again.body.data.statements[0].created], [2, false]);
    const shown = (await app.client.get(`${PATH}/${second.id}`)).body.data;
    assert.deepEqual([shown.line_count, shown.new_line_count], [3, 3]);
  });

  it('are imported in the background when they have many lines, after the file has been read', async () => {
    const lines = Array.from({ length: 10_001 }, () => sampleLine({ amount: '1' }));
    const file = writeNorma43([bankDay('2026-02-12', lines)]);
    const answer = await send(file);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.equal(answer.headers.get('Location'), `/api/tasks/${answer.body.task_id}`);
    const task = (await app.client.get(`/api/tasks/${answer.body.task_id}`)).body.data;
    assert.deepEqual([task.type, task.status], ['sync', 'waiting']);
    assertProblem(await send(file.slice(0, -400)), 422, 'validation_failed');
    assert.equal((await app.client.get('/api/tasks')).body.data.length, 1);
  });

  it('can be deleted and imported concurrently, in any order', async () => {
    const file = writeCamt053([
      bankDay(
        '2026-02-11',
        Array.from({ length: 30 }, (_, at) => sampleLine({ bankReference: `X${at}` })),
      ),
    ]);
    const [{ id }] = (await imported(file)).statements;
    const answers = await Promise.all([
      app.client.del(`${PATH}/${id}`),
      send(file),
      app.client.del(`${PATH}/${id}`),
      send(file),
    ]);
    assert.ok(
      answers.every(({ status }) => status < 500),
      JSON.stringify(answers.map(({ status }) => status)),
    );
    await imported(file);
    assert.equal((await app.client.get(`${PATH}/lines?date=2026-02-11`)).body.pagination.total, 30);
  });

  it('distinguish equal lines of a day without bank references by their number', async () => {
    const coffee = sampleLine({ amount: '-1.2', text: 'Café' });
    const file = writeNorma43([bankDay('2026-02-02', [coffee, coffee])]);
    assert.equal((await imported(file)).new_lines, 2);
    assert.deepEqual((await imported(writeNorma43([bankDay('2026-02-02', [coffee, coffee, coffee])]))).new_lines, 1);
  });

  it('can be sent as tables and forms; the account is a parameter if the file has none', async () => {
    const table = 'Fecha;Concepto;Importe\n03/02/2026;Nómina;-1.000,00\n';
    assertProblem(await send(table), 422, 'validation_failed');
    const form = new FormData();
    form.set('file', new File([table], 'febrero.csv', { type: 'text/csv' }));
    const answer = await send(form, `?bank_account_id=${accountId}`);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const [statement] = answer.body.data.statements;
    const shown = (await app.client.get(`${PATH}/${statement.id}`)).body.data;
    assert.deepEqual(
      { format: shown.format, file_name: shown.file_name, opening_balance: shown.opening_balance },
      { format: 'csv', file_name: 'febrero.csv', opening_balance: null },
    );
  });

  it('are created once when the same file is sent many times concurrently', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => sampleLine({ bankReference: `P${index}` }));
    const file = writeCamt053([bankDay('2026-02-04', lines)]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(file)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal(
      answers.reduce((total, { body }) => total + body.data.new_lines, 0),
      40,
    );
    assert.equal((await app.client.get(`${PATH}/lines?date=2026-02-04`)).body.pagination.total, 40);
  });

  it('are rejected as a whole, with the line of each fault', async () => {
    const before = await count();
    const good = bankDay('2026-02-05', [sampleLine()]);
    const other = { ...good, account: { iban: THEIRS, number: null } };
    const file = writeCamt053([good]);
    const cases: [string, string, string][] = [
      [file.replace('1121.00', '1121.01'), '', 'balance_mismatch'],
      [file.slice(0, -30), '', 'invalid_xml'],
      [writeCamt053([good, other]), '', 'unknown_account'],
      [writeCamt053([{ ...good, currency: 'USD' }]), '', 'other_currency'],
      [file.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'), '', 'doctype'],
      [writeNorma43([good]).replace('978', '001'), '?format=norma43', 'unknown_currency'],
      [writeNorma43([good]).slice(0, 240), '', 'truncated'],
      [file, '?format=norma43', 'unknown_record'],
    ];
    for (const [content, query, code] of cases) {
      const answer = await send(content, query);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].code, code);
      assert.ok(answer.body.errors[0].line >= 1, 'names the line');
    }
    assertProblem(await send(file, '?format=mt940'), 400, 'invalid_parameter');
    assertProblem(await send(file, `?bank_account_id=${trade.customerId}`), 400, 'invalid_parameter');
    assertProblem(await send('', ''), 422, 'validation_failed');
    assert.equal(await count(), before);
  });

  it('suggest open invoices for lines, with reasons', async () => {
    await app.client.patch(`/api/partners/${trade.customerId}`, { iban: THEIRS });
    const [one, two] = [await desk.invoice(1), await desk.invoice(2)];
    const bought = await desk.invoice(3, { supplierReference: 'SUP-77' }, '/api/purchases/invoices');
    const file = writeCamt053([
      bankDay('2026-02-06', [
        sampleLine({ amount: `${one.total}`, reference: one.code, bankReference: 'S1' }),
        sampleLine({ amount: `${two.total}`, counterpartyIban: THEIRS, bankReference: 'S2' }),
        sampleLine({
          amount: `${one.total + two.total}`,
          text: `Pago ${one.code} y ${two.code}`,
          bankReference: 'S3',
        }),
        sampleLine({ amount: `${-bought.total}`, text: 'Fra sup-77', bankReference: 'S4' }),
        sampleLine({ amount: '0.37', text: 'Intereses', bankReference: 'S5' }),
      ]),
    ]);
    const { statements } = await imported(file);
    const answer = await app.client.get(`${PATH}/${statements[0].id}/suggestions`);
    const best = answer.body.data.map((line: { suggestions: { documents: { document_id: string }[] }[] }) =>
      line.suggestions[0]?.documents.map(({ document_id }) => document_id).sort(),
    );
    assert.deepEqual(best, [[one.id], [two.id], [one.id, two.id].sort(), [bought.id], undefined]);
    const [first] = answer.body.data;
    assert.equal(first.suggestions[0].score, 90);
    assert.match(first.suggestions[0].reason, /is the reference of the line; the amount equals the outstanding amount/);
    assert.deepEqual(answer.body.pagination, { total: 5, page: 1, per_page: 50, has_more: false });
    const single = (await app.client.get(`${PATH}/lines/${first.id}`)).body.data;
    assert.deepEqual(single.suggestions, first.suggestions);
  });

  it('let lines without a document be ignored and reopened', async () => {
    const [line] = await get('/lines?text=Intereses');
    const ids = { line_ids: [line?.id] };
    const ignored = await app.client.post(`${PATH}/lines/ignore`, ids);
    assert.deepEqual([ignored.status, ignored.body.data[0].status], [200, 'ignored']);
    assert.deepEqual((await app.client.get(`${PATH}/lines/${line?.id}`)).body.data.suggestions, []);
    assert.equal((await get('/lines?status=ignored')).length, 1);
    const opened = await app.client.post(`${PATH}/lines/reopen`, ids);
    assert.deepEqual([opened.body.data[0].status, opened.body.data[0].version], ['open', 3]);
    const missing = await app.client.post(`${PATH}/lines/ignore`, { line_ids: [line?.id, trade.customerId] });
    assertProblem(missing, 422, 'validation_failed');
    assert.equal(missing.body.errors[0].pointer, '/line_ids/1');
    assert.equal((await get('/lines?status=ignored')).length, 0);
  });

  describe('accepting statement lines', () => {
    const accept = (...sent: Parameters<BankDesk['accept']>) => desk.accept(...sent);
    const importLines = (...sent: Parameters<BankDesk['importLines']>) => desk.importLines(...sent);
    const invoice = (quantity: number) => desk.invoice(quantity);
    const lineState = (id: string) => desk.line(id);
    const invoiceNow = async (id: string) => (await app.client.get(`/api/sales/invoices/${id}`)).body.data;

    it('registers payments of the best suggestions, for several lines together', async () => {
      const invoices = [await invoice(11), await invoice(12)];
      const ids = await importLines(
        '2026-03-01',
        invoices.map(({ total, code }) => sampleLine({ amount: `${total}`, endToEndId: code, bankReference: code })),
      );
      const answer = await accept(ids.map((line_id) => ({ line_id, suggestion: true })));
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body.data.refused, []);
      for (const [index, { line_id, payment_ids }] of answer.body.data.accepted.entries()) {
        assert.deepEqual((await invoiceNow(invoices[index]?.id ?? '')).status, 'C');
        const line = await lineState(line_id);
        assert.deepEqual(
          { status: line.status, payment_ids: line.payment_ids, suggestions: line.suggestions },
          { status: 'matched', payment_ids, suggestions: [] },
        );
        const payment = (await app.client.get(`/api/payments/in/${payment_ids[0]}`)).body.data;
        assert.deepEqual(
          {
            payment_date: payment.payment_date,
            bank_account_id: payment.bank_account_id,
            status: payment.status,
            amount: payment.amount,
          },
          { payment_date: '2026-03-01', bank_account_id: accountId, status: 'linked', amount: invoices[index]?.total },
        );
      }
    });

    it('rejects a suggestion that another line has just taken', async () => {
      const { total, code } = await invoice(16);
      const line = { amount: `${Number(total)}` as const, endToEndId: code };
      const ids = await importLines('2026-03-05', [
        sampleLine({ ...line, bankReference: 'A' }),
        sampleLine({ ...line, bankReference: 'B' }),
      ]);
      const answer = await accept(
        ids.map((line_id) => ({ line_id, suggestion: true })),
        { partial: true },
      );
      assert.equal(answer.body.data.accepted.length, 1, JSON.stringify(answer.body));
      assert.deepEqual(
        answer.body.data.refused.map(({ code: why }: Row) => why),
        ['no_suggestion'],
      );
    });

    it('links existing payments, which are also suggested, each to one line', async () => {
      const { id, total } = await invoice(13);
      const registered = await app.client.post('/api/payments/in', {
        partner_id: trade.customerId,
        amount: total,
        payment_date: '2026-03-02',
        payment_method: 'transfer',
        linked_documents: [{ document_type: 'sales_invoice', document_id: id }],
      });
      assert.equal(registered.status, 201, JSON.stringify(registered.body));
      const paymentId = registered.body.data.id;
      const amount = `${Number(total)}` as const;
      const [one = '', two = ''] = await importLines('2026-03-02', [
        sampleLine({ amount, bankReference: 'A' }),
        sampleLine({ amount, bankReference: 'B' }),
      ]);
      const [best] = (await lineState(one)).suggestions;
      assert.deepEqual([best.payment_id, best.score], [paymentId, 70]);
      assert.equal((await accept([{ line_id: one, payment_id: paymentId }])).status, 200);
      const again = await accept([{ line_id: two, payment_id: paymentId }]);
      assertProblem(again, 409, 'duplicate');
      assert.equal(again.body.errors[0].pointer, '/lines/0/payment_id');
      assertProblem(await accept([{ line_id: one, payment_id: paymentId }]), 409, 'invalid_transition');
      assertProblem(await app.client.post(`${PATH}/lines/ignore`, { line_ids: [one] }), 409, 'invalid_transition');
      assertProblem(await app.client.del(`/api/payments/in/${paymentId}`), 409, 'in_use');
      assert.equal((await app.client.post(`${PATH}/lines/reopen`, { line_ids: [one] })).status, 200);
      assert.equal((await app.client.del(`/api/payments/in/${paymentId}`)).status, 204);
    });

    it('is all or nothing, or partial on request; each refusal names line and reason', async () => {
      const { id, total } = await invoice(14);
      const [good = '', strange = '', out = ''] = await importLines('2026-03-03', [
        sampleLine({ amount: `${total + 1}`, bankReference: 'A' }),
        sampleLine({ amount: '0.11', bankReference: 'B' }),
        sampleLine({ amount: '-5', bankReference: 'C' }),
      ]);
      const document = { document_type: 'sales_invoice', document_id: id, amount_applied: total };
      const lines = [
        { line_id: good, partner_id: trade.customerId, documents: [document] },
        { line_id: strange, suggestion: true },
        { line_id: out, partner_id: trade.customerId, documents: [document] },
        { line_id: trade.customerId, suggestion: true },
        { line_id: strange },
      ];
      const refused = await accept(lines);
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].pointer, '/lines/1/suggestion');
      assert.equal((await lineState(good)).status, 'open');
      assert.equal((await invoiceNow(id)).status, 'O');
      const partial = await accept(lines, { partial: true });
      assert.equal(partial.status, 200, JSON.stringify(partial.body));
      assert.deepEqual(
        partial.body.data.accepted.map(({ line_id }: Row) => line_id),
        [good],
      );
      assert.deepEqual(
        partial.body.data.refused.map(({ code }: Row) => code),
        ['no_suggestion', 'wrong_type', 'invalid_reference', 'invalid'],
      );
      const payment = (await app.client.get(`/api/payments/in/${partial.body.data.accepted[0].payment_ids[0]}`)).body
        .data;
      assert.deepEqual([payment.amount_applied, payment.credit], [total, 1]);
    });

    it('accepts a line once when requested concurrently', async () => {
      const { id, total } = await invoice(15);
      const [line_id = ''] = await importLines('2026-03-04', [sampleLine({ amount: `${total}`, bankReference: 'A' })]);
      const documents = [{ document_type: 'sales_invoice', document_id: id }];
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => accept([{ line_id, partner_id: trade.customerId, documents }])),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
      assert.equal((await app.client.get('/api/payments/in?from=2026-03-04&to=2026-03-04')).body.pagination.total, 1);
    });
  });

  it('requires the permissions of an accountant', async () => {
    for (const [role, allowed] of [
      ['accountant', true],
      ['sales', false],
      ['viewer', false],
    ] as const) {
      const email = `${role}@example.test`;
      const password = 'correct horse battery staple';
      const made = await app.client.post('/api/users', { email, name: role, password, role });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const login = await app.anonymous.post('/api/auth/login', { email, password });
      const answer = await send(
        writeCamt053([bankDay('2026-02-07', [])]),
        '',
        login.body.token ?? login.body.access_token,
      );
      if (allowed) assert.equal(answer.status, 201, JSON.stringify(answer.body));
      else assertProblem(answer, 403, 'forbidden');
    }
  });
});
