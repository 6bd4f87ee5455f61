/** Files as banks write them, over HTTP: tables with signs and their columns kept, Norma 43 with warnings, Excel and OFX. */
import assert from 'node:assert/strict';
import { BankDesk, bankDay } from '../../../helpers/bank-desk.ts';
import { IBAN, sampleLine, writeNorma43, writeOfx } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { EXCEL, sheetParts, workbook, zip } from '../../../helpers/xlsx.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const PATH = '/api/bank-statements';
const OTHER = 'ES7921000813610123456789';

describe('bank statement files', function () {
  this.timeout(120_000);
  let accountId: string;
  let otherId: string;

  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  before(async () => {
    accountId = await desk.openAccount();
    otherId = await desk.openAccount({ name: 'Other', iban: OTHER, is_default: false });
  });

  const to = (id: string, columns?: unknown) =>
    `?bank_account_id=${id}${columns === undefined ? '' : `&columns=${encodeURIComponent(JSON.stringify(columns))}`}`;
  const kept = async (id: string) =>
    (await app.client.get(`/api/config/bank-accounts/${id}`)).body.data.statement_columns;
  const amountsIn = async (statementId: unknown): Promise<number[]> =>
    (await app.client.get(`${PATH}/${statementId}/lines`)).body.data.map(({ amount }: { amount: number }) => amount);
  async function imported(content: string, query: string) {
    const answer = await desk.send(content, query);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  async function upload(name: string, content: Uint8Array, query: string) {
    const form = new FormData();
    form.set('file', new File([content as Uint8Array<ArrayBuffer>], name, { type: EXCEL }));
    return desk.send(form, query);
  }

  it('read a debit under D/H as outgoing money', async () => {
    const report = await imported(
      'Fecha;Concepto;Importe;D/H\n15/01/2026;Luz;33,50;D\n16/01/2026;Venta;100,00;H\n',
      to(accountId),
    );
    assert.deepEqual([await amountsIn(report.statements[0].id), report.warnings], [[-33.5, 100], []]);
  });

  it('report unknown columns of a header, and drop nothing silently', async () => {
    const report = await imported('Fecha;Concepto;Importe;Sucursal\n17/01/2026;Luz;-1,00;0418\n', to(accountId));
    assert.deepEqual(report.warnings, [
      {
        line: 1,
        column: 'Sucursal',
        code: 'unknown_column',
        message: 'is not understood, so it was left out; send its meaning in columns, or name it in ignore',
      },
    ]);
    // 33.50 without its sign would come in as money: the file is refused until somebody says what Tipo is.
    const unclear = await desk.send('Fecha;Concepto;Importe;Tipo\n18/01/2026;Luz;33,50;D\n', to(accountId));
    assertProblem(unclear, 422, 'validation_failed');
    assert.deepEqual([unclear.body.errors[0].code, unclear.body.errors[0].column], ['unclear_column', 'Tipo']);
  });

  describe('columns mapped by the caller', () => {
    const table = (day: string) => `Cuándo;Qué;Cuánto;Tipo;Oficina\n${day};Luz;33,50;D;0418\n`;
    const columns = { date: 'Cuándo', amount: 'Cuánto', text: ['Qué'], sign: 'Tipo', ignore: ['Oficina'] };

    it('are saved for the bank account, and used for its next file', async () => {
      const first = await imported(table('19/01/2026'), to(otherId, columns));
      assert.deepEqual([await amountsIn(first.statements[0].id), first.warnings], [[-33.5], []]);
      const stored = { ...columns, date: ['Cuándo'], amount: ['Cuánto'], sign: ['Tipo'] };
      assert.deepEqual(await kept(otherId), stored);
      const next = await imported(table('20/01/2026'), to(otherId));
      assert.deepEqual(await amountsIn(next.statements[0].id), [-33.5]);
      assert.equal(await kept(accountId), null, 'not for another account');
      assertProblem(await desk.send(table('20/01/2026'), to(accountId)), 422, 'validation_failed');
      const audit = await app.client.get(`/api/audit-logs?entityId=${otherId}&action=UPDATE`);
      assert.deepEqual(audit.body.data[0].newValue.statement_columns, stored);
    });

    it('are used for a table that names its account itself', async () => {
      await imported(table('21/01/2026'), to(otherId, columns));
      const own = `IBAN;Fecha;Importe;Cuándo;Cuánto;Tipo\n${OTHER};1;2;22/01/2026;5,00;D\n`;
      // By its titles alone it cannot be read (1 is no date); once its account is named, by the columns kept.
      assertProblem(await desk.send(own), 422, 'validation_failed');
      const signed = `IBAN;Cuándo;Fecha;Cuánto;Importe;Tipo;Qué\n${OTHER};22/01/2026;23/01/2026;5,00;-7,00;D;x\n`;
      const [statement] = (await imported(signed, '')).statements;
      assert.deepEqual(await amountsIn(statement.id), [-5], 'as kept for the account');
    });

    it('are required for a table of accounts with different mappings', async () => {
      await imported(table('23/01/2026'), to(otherId, columns));
      const both = `IBAN;Fecha;Importe\n${OTHER};26/01/2026;-1,00\n${IBAN};26/01/2026;-2,00\n`;
      const refused = await desk.send(both);
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].code, 'ambiguous_column');
      const said = `?columns=${encodeURIComponent('{"date":"Fecha","amount":"Importe"}')}`;
      const report = await imported(both, said);
      assert.deepEqual(report.statements.map((row: Row) => row.bank_account_id).sort(), [accountId, otherId].sort());
      await imported('Fecha;Importe\n27/01/2026;-1,00\n', to(accountId, {}));
    });

    it('are deleted with {}', async () => {
      await imported(table('24/01/2026'), to(otherId, columns));
      await imported('Fecha;Importe\n24/01/2026;-1,00\n', to(otherId, {}));
      assert.equal(await kept(otherId), null);
    });

    it('are rejected if unintelligible, and not saved with a rejected file', async () => {
      for (const wrong of [
        'x',
        '[]',
        '7',
        '{"date":""}',
        '{"when":"Fecha"}',
        '{"date":["A"]}',
        '{"text":[]}',
        '{"date":"A","amount":"A"}',
      ]) {
        const answer = await desk.send(
          table('25/01/2026'),
          `?bank_account_id=${otherId}&columns=${encodeURIComponent(wrong)}`,
        );
        assertProblem(answer, 400, 'invalid_parameter');
      }
      const missing = await desk.send(table('25/01/2026'), to(otherId, { ...columns, sign: 'Signo' }));
      assertProblem(missing, 422, 'validation_failed');
      assert.deepEqual([missing.body.errors[0].code, missing.body.errors[0].column], ['missing_column', 'Signo']);
      assert.equal(await kept(otherId), null);
      const norma = writeNorma43([bankDay('2026-01-25', [sampleLine()])]);
      assertProblem(await desk.send(norma, to(accountId, columns)), 400, 'invalid_parameter');
    });
  });

  it('import Norma 43 with warnings of wrong counts, but reject wrong amounts', async () => {
    const file = writeNorma43([bankDay('2026-02-15', [sampleLine(), sampleLine({ amount: '-21.5' })])]);
    // 11, 22, 22, 33: four records; the bank counts 88 too, and writes no balance: 1000 + 121 − 21.50 is not 0.
    const odd = file
      .replace(`${'9'.repeat(18)}000004`, `${'9'.repeat(18)}000005`)
      .replace('200000000109950978', '200000000000000978');
    const report = await imported(odd, '');
    assert.deepEqual(
      report.warnings.map(({ code, line, column }: Row) => [code, line, column]),
      [
        ['no_balance', 4, '33'],
        ['control_count', 5, '88'],
      ],
    );
    const shown = (await app.client.get(`${PATH}/${report.statements[0].id}`)).body.data;
    assert.deepEqual([shown.opening_balance, shown.closing_balance, shown.line_count], [1000, null, 2]);
    const wrong = await desk.send(file.replace('200000000109950978', '200000000109951978'));
    assertProblem(wrong, 422, 'validation_failed');
    assert.equal(wrong.body.errors[0].code, 'balance_mismatch');
  });

  it('read Excel like other tables; only the first of several sheets, with a warning', async () => {
    const rows = [
      ['Cuenta corriente'],
      ['Fecha', 'Concepto', 'Importe', 'D/H'],
      [new Date(Date.UTC(2026, 1, 16)), 'Luz', 33.5, 'D'],
      [new Date(Date.UTC(2026, 1, 17)), 'Venta', 0.1 + 0.2, 'H'],
    ];
    const answer = await upload(
      'febrero.xlsx',
      await workbook(rows, (sheet) => sheet.workbook.addWorksheet('Otra')),
      to(accountId),
    );
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { format, statements, warnings } = answer.body.data;
    assert.deepEqual([format, await amountsIn(statements[0].id)], ['excel', [-33.5, 0.3]]);
    assert.deepEqual(
      warnings.map(({ code }: Row) => code),
      ['other_sheets'],
    );
  });

  it('reject damaged, old, wide and malicious Excel files', async () => {
    const wide = `<sheetData><row r="1"><c r="CW1" t="inlineStr"><is><t>x</t></is></c></row></sheetData>`;
    const bomb = zip(
      sheetParts('<sheetData/>').map((part) =>
        part.name === 'xl/sheet.xml' ? { ...part, content: Buffer.alloc(40_000_000, 32) } : part,
      ),
    );
    const cases: [Uint8Array, string][] = [
      [zip(sheetParts('<sheetData><row')), 'invalid_excel'],
      [zip(sheetParts('<sheetData/>')), 'missing_header'],
      [zip(sheetParts(`<worksheet>${wide}</worksheet>`)), 'too_many_columns'],
      [bomb, 'zip_bomb'],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_excel'],
    ];
    for (const [content, code] of cases) {
      const answer = await upload('x.xlsx', content, to(accountId));
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].code, code);
    }
  });

  it('import a statement for each account of an OFX file, and reject files without a known account', async () => {
    const lines = [sampleLine({ bankReference: 'F1', amount: '-33.5', text: 'Luz' })];
    const [one, two] = [
      bankDay('2026-02-18', lines),
      { ...bankDay('2026-02-18', lines), account: { iban: OTHER, number: null } },
    ];
    const report = await imported(writeOfx([one, two]), '');
    assert.deepEqual(
      report.statements.map((row: Row) => [row.bank_account_id, row.new_lines]),
      [
        [accountId, 1],
        [otherId, 1],
      ],
    );
    assert.equal((await imported(writeOfx([{ ...one, from: '2026-02-17' }], 2), '')).duplicates, 1);
    const importCode = async (content: string, query = '') => {
      const answer = await desk.send(content, query);
      assertProblem(answer, 422, 'validation_failed');
      return answer.body.errors[0].code;
    };
    assert.equal(await importCode('<OFX><BANKMSGSRSV1></BANKMSGSRSV1></OFX>'), 'no_statement');
    assert.equal(await importCode(writeOfx([one]).replace(IBAN, '4000123')), 'unknown_account');
    assert.equal(
      await importCode(writeOfx([one, two]), to(accountId)),
      'unknown_account',
      'of two accounts one is not the one named',
    );
    const named = writeOfx([{ ...one, account: { iban: null, number: '4000123' }, from: '2026-02-16' }]);
    assert.equal((await imported(named, to(accountId))).format, 'ofx');
  });
});
