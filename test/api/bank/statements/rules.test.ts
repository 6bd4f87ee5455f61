/** Rules for lines: suggested, accepted automatically if set so, and tried out beforehand. */
import assert from 'node:assert/strict';
import { BankDesk, bankDay } from '../../../helpers/bank-desk.ts';
import { sampleLine, writeCamt053 } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const PATH = '/api/bank-rules';

describe('rules for bank statement lines', function () {
  this.timeout(120_000);
  let tax: string;
  let charges: string;

  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  before(async () => {
    await desk.openAccount();
    tax = (await app.client.get('/api/taxes?code=IVA21')).body.data[0].id;
    charges = await desk.account('626');
  });
  beforeEach(async () => {
    for (const { id } of (await app.client.get(`${PATH}?limit=100`)).body.data) {
      await app.client.patch(`${PATH}/${id}`, { active: false });
    }
  });

  async function rule(values: Row = {}): Promise<Row> {
    const made = await app.client.post(PATH, { name: 'Comisiones', text: 'COMISION', account_id: charges, ...values });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data;
  }
  async function imported(day: string, lines: Parameters<typeof bankDay>[1]) {
    const answer = await desk.send(writeCamt053([bankDay(day, lines)]));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { data } = answer.body;
    return {
      ...data,
      lines: (await app.client.get(`/api/bank-statements/${data.statements[0].id}/lines`)).body.data as Row[],
    };
  }
  const fee = (amount: `${number}` = '-12.1', more: Row = {}) =>
    sampleLine({ amount, text: 'Comisión mantenimiento', ...more });

  it('suggest the account of a line, and enter it with its tax when accepted', async () => {
    const made = await rule({ tax_group_id: tax, partner_id: trade.supplierId, entry_text: 'Comisiones del banco' });
    const { lines } = await imported('2026-04-01', [fee()]);
    const { suggestions } = await desk.line(String(lines[0]?.id));
    assert.deepEqual(
      [suggestions[0].score, suggestions[0].reason, suggestions[0].partner_id, suggestions[0].rule],
      [
        85,
        'it fits the rule Comisiones',
        trade.supplierId,
        { rule_id: made.id, name: 'Comisiones', account_id: charges, account_code: '626', tax_group_id: tax },
      ],
    );
    const { entry_id } = await desk.accepted({ line_id: lines[0]?.id, suggestion: true });
    // 12.10 / 1.21 = 10.00, and 2.10 of VAT.
    assert.deepEqual(await desk.entry(entry_id ?? ''), [
      ['572', 0, 12.1],
      ['626', 10, 0],
      ['47200021', 2.1, 0],
    ]);
    assert.equal((await desk.line(String(lines[0]?.id))).rule_id, made.id);
    const entry = (await app.client.get(`/api/journal-entries/${entry_id}`)).body.data;
    assert.equal(entry.description, 'Comisiones del banco');
  });

  it('accept lines on import if set to, and are linked to them', async () => {
    const made = await rule({ accept: true, tax_group_id: tax, direction: 'out' });
    const report = await imported('2026-04-02', [
      fee('-12.1', { bankReference: 'A' }),
      fee('-24.2', { bankReference: 'B' }),
      fee('3'),
      sampleLine(),
    ]);
    assert.deepEqual(
      [report.new_lines, report.accepted, report.statements[0].accepted, report.warnings],
      [4, 2, 2, []],
    );
    assert.deepEqual(
      report.lines.map(({ status, rule_id }: Row) => [status, rule_id]),
      [
        ['matched', made.id],
        ['matched', made.id],
        ['open', null],
        ['open', null],
      ],
    );
    // 24.20 / 1.21 = 20.00, and 4.20 of VAT.
    assert.deepEqual(await desk.entry(report.lines[1].entry_id), [
      ['572', 0, 24.2],
      ['626', 20, 0],
      ['47200021', 4.2, 0],
    ]);
    const listed = await app.client.get(`/api/bank-statements/lines?rule_id=${made.id}`);
    assert.equal(listed.body.pagination.total, 2);
    const audit = await app.client.get(`/api/audit-logs?entityId=${report.lines[0].id}&action=UPDATE`);
    assert.equal(audit.body.data[0].newValue.rule_id, made.id);
    const used = await app.client.del(`${PATH}/${made.id}`);
    assertProblem(used, 409, 'in_use');
    assert.deepEqual(used.body.uses, [{ entityType: 'BankStatementLine', count: 2 }]);
    assert.equal((await desk.reopen([report.lines[0].id])).status, 200);
    const opened = await desk.line(report.lines[0].id);
    assert.deepEqual([opened.status, opened.rule_id, opened.entry_id], ['open', null, null]);
  });

  it('accept lines as a person who agrees would', async () => {
    const values = { tax_group_id: tax, partner_id: trade.supplierId, entry_text: 'Cargo' };
    const { id } = await rule(values);
    const { lines } = await imported('2026-04-03', [fee()]);
    const { entry_id } = await desk.accepted({ line_id: lines[0]?.id, suggestion: true });
    await app.client.patch(`${PATH}/${id}`, { accept: true });
    const report = await imported('2026-04-04', [fee()]);
    const readEntry = async (entryId: unknown) => {
      const {
        lines: made,
        description,
        sourceType,
      } = (await app.client.get(`/api/journal-entries/${entryId}`)).body.data;
      return { description, sourceType, lines: made };
    };
    assert.deepEqual(await readEntry(report.lines[0].entry_id), await readEntry(entry_id));
  });

  it('accept many lines in the background, and few immediately, however long the file', async () => {
    await rule({ accept: true });
    const lines = (fees: number) =>
      Array.from({ length: 600 }, (_, at) =>
        at < fees ? fee('-1', { bankReference: `F${fees}-${at}` }) : sampleLine({ bankReference: `L${fees}-${at}` }),
      );
    assert.equal((await desk.send(writeCamt053([bankDay('2026-04-20', lines(501))]))).status, 202);
    const { body } = await desk.send(writeCamt053([bankDay('2026-04-21', lines(20))]));
    assert.deepEqual([body.data.new_lines, body.data.accepted], [600, 20]);
  });

  it("follow a tax to the rate of the line's date", async () => {
    const made = await app.client.post('/api/taxes', { code: 'BANCO', name: 'Banco', rate: 21, validTo: '2026-04-09' });
    await app.client.post('/api/taxes', { code: 'BANCO', name: 'Banco', rate: 10, validFrom: '2026-04-10' });
    await rule({ accept: true, tax_group_id: made.body.data.id });
    const report = await imported('2026-04-10', [fee('-11')]);
    // 11.00 / 1.10 = 10.00, and 1.00 of VAT.
    const [, net, vat] = await desk.entry(report.lines[0].entry_id);
    assert.deepEqual([net?.[1], vat?.[1]], [10, 1]);
  });

  it('leave lines open that cannot be accepted, with the reason', async () => {
    const own = await desk.account('572');
    await rule({ name: 'Traspaso', text: 'traspaso', accept: true, account_id: own });
    const { id } = (await app.client.post('/api/accounts', { code: '6260008', name: 'Old', type: 'expense' })).body
      .data;
    await rule({ name: 'Custodia', text: 'custodia', accept: true, account_id: id });
    assert.equal((await app.client.patch(`/api/accounts/${id}`, { active: false })).status, 200);
    await rule({ accept: true });
    const [period] = (await app.client.get('/api/periods?from[lte]=2026-01-12&to[gte]=2026-01-12')).body.data;
    assert.equal((await app.client.patch(`/api/periods/${period.id}`, { status: 'C' })).status, 200);
    const lines = [
      { ...sampleLine({ amount: '-5', text: 'Traspaso' }), date: '2026-04-11' },
      { ...sampleLine({ amount: '-6', text: 'Custodia' }), date: '2026-04-11' },
      { ...fee('-7'), date: '2026-01-12' },
      { ...fee('-8'), date: '2026-04-11' },
    ];
    const answer = await desk.send(writeCamt053([{ ...bankDay('2026-04-11', []), lines }]));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { warnings, accepted } = answer.body.data;
    assert.equal(accepted, 1);
    assert.deepEqual(
      warnings.map(({ code }: Row) => code),
      ['not_accepted', 'not_accepted', 'not_accepted'],
    );
    assert.match(
      warnings.map(({ message }: Row) => message).join('\n'),
      /Traspaso.*itself.*Custodia.*inactive.*Comisiones.*closed/s,
    );
    assert.equal((await app.client.patch(`/api/periods/${period.id}`, { status: 'O' })).status, 200);
  });

  it('apply in order, and can be previewed', async () => {
    const { lines } = await imported('2026-04-12', [
      sampleLine({ amount: '-40', text: 'Vista previa luz' }),
      sampleLine({ amount: '-50', text: 'Vista previa luz y gas' }),
    ]);
    const draft = { text: 'vista previa', amount_from: 45 };
    const tried = (await app.client.post(`${PATH}/preview`, { rule: draft })).body.data;
    assert.deepEqual(
      tried.rules.map(({ rule_id, matched }: Row) => [rule_id, matched]),
      [[null, 1]],
    );
    assert.equal(tried.rules[0].lines[0].id, lines[1]?.id);
    const wide = await rule({ name: 'Luz', text: 'vista previa' });
    const narrow = await rule({ name: 'Gas', text: 'vista previa', amount_from: 45, position: 1 });
    const all = (await app.client.post(`${PATH}/preview`, {})).body.data;
    assert.deepEqual(
      all.rules.map(({ rule_id, matched }: Row) => [rule_id, matched]),
      [
        [narrow.id, 1],
        [wide.id, 1],
      ],
    );
    assert.equal(all.unmatched + 2, all.lines_checked);
    const one = (await app.client.post(`${PATH}/preview`, { rule_id: wide.id })).body.data;
    assert.deepEqual([one.rules[0].matched, one.all_checked], [2, true]);
    for (const { id } of lines) assert.equal((await desk.line(String(id))).status, 'open');
  });

  it('are rejected if they match everything, contradict themselves or name missing records', async () => {
    const cases: [Row, string, string][] = [
      [{ text: null }, '/text', 'required'],
      [{ text: null, direction: 'out', amount_from: 0, amount_to: 999_999 }, '/text', 'required'],
      [{ text: '%%' }, '/text', 'invalid'],
      [{ text: 'de' }, '/text', 'invalid'],
      [{ amount_from: 5, amount_to: 4 }, '/amount_to', 'out_of_range'],
      [{ text: null, amount_from: 0, amount_to: 0 }, '/amount_to', 'out_of_range'],
      [{ amount_from: -1 }, '/amount_from', 'out_of_range'],
      [{ direction: 'up' }, '/direction', 'invalid_choice'],
      [{ account_id: trade.itemId }, '/account_id', 'invalid_reference'],
      [{ account_id: await desk.account('43') }, '/account_id', 'invalid_reference'],
      [{ account_id: await desk.account('430') }, '/account_id', 'not_allowed'],
      [{ account_id: await desk.account('769'), tax_group_id: tax }, '/tax_group_id', 'not_allowed'],
      [{ tax_group_id: trade.itemId }, '/tax_group_id', 'invalid_reference'],
      [{ counterparty_id: trade.itemId }, '/counterparty_id', 'invalid_reference'],
    ];
    for (const [values, pointer, code] of cases) {
      const answer = await app.client.post(PATH, { name: 'Wrong', text: 'COMISION', account_id: charges, ...values });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        [answer.body.errors[0].pointer, answer.body.errors[0].code],
        [pointer, code],
        JSON.stringify(values),
      );
    }
    const { id } = await rule();
    assertProblem(await app.client.patch(`${PATH}/${id}`, { text: null }), 422, 'validation_failed');
    const everything = await app.client.post(`${PATH}/preview`, { rule: { direction: 'out' } });
    assertProblem(everything, 422, 'validation_failed');
    assert.equal(everything.body.errors[0].pointer, '/rule/text');
    assertProblem(await app.client.post(`${PATH}/preview`, { rule_id: trade.itemId }), 404, 'not_found');
    assertProblem(
      await app.client.post(`${PATH}/preview`, { rule_id: id, rule: { text: 'luz' } }),
      422,
      'validation_failed',
    );
  });

  it('are limited to two hundred', async () => {
    const { length } = (await app.client.get(`${PATH}?limit=200`)).body.data;
    for (let at = length; at < 200; at++) await rule({ active: false });
    const more = await app.client.post(PATH, { name: 'One more', text: 'COMISION', account_id: charges });
    assertProblem(more, 422, 'validation_failed');
    assert.equal(more.body.errors[0].code, 'too_many');
  });
});
