import assert from 'node:assert/strict';
import type { BadStatement, ReadFile } from '../../../../domain/bank/statements/statement.ts';
import { readTable } from '../../../../domain/bank/statements/table.ts';
import type { ColumnMapping, TableRow } from '../../../../domain/bank/statements/table-header.ts';

const HINTS = { dateFormat: 'dd/MM/yyyy', decimalSign: ',' } as const;

describe('bank tables with many rows', () => {
  it('are read with pauses for other work', () => {
    const rows = Array.from({ length: 5000 }, (_, at): TableRow => {
      return { line: at + 2, cells: [`${String((at % 28) + 1).padStart(2, '0')}/02/2026`, `Pago ${at}`, `${at},50`] };
    });
    const steps = readTable([{ line: 1, cells: ['Fecha', 'Concepto', 'Importe'] }, ...rows], HINTS);
    let pauses = 0;
    let read: ReadFile | undefined;
    while (read === undefined) {
      const step = steps.next();
      if (step.done) read = step.value;
      else pauses++;
    }
    assert.ok(pauses >= 10, `${pauses} pauses`);
    const [statement] = read.statements;
    assert.deepEqual(
      { lines: statement?.lines.length, from: statement?.from, to: statement?.to },
      { lines: 5000, from: '2026-02-01', to: '2026-02-28' },
    );
    assert.deepEqual(statement?.lines.at(-1)?.amount, '4999.5');
  });
});

/** Reads the lines of a CSV text, split at semicolons. */
function readLines(text: string, mapping?: ColumnMapping): ReadFile {
  const rows = text
    .split('\n')
    .map((line, at): TableRow => ({ line: at + 1, cells: line.split(';').map((cell) => cell || null) }));
  const steps = readTable(rows, HINTS, mapping);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const lineAmounts = ({ statements }: ReadFile) => statements[0]?.lines.map(({ amount }) => amount);
const told = ({ warnings }: ReadFile) => warnings.map(({ code, column }) => [code, column]);

const refusal = (text: string) => {
  try {
    readLines(text);
    return 'read';
  } catch (error) {
    const [first] = (error as BadStatement).errors;
    return `${first?.line} ${first?.column} ${first?.code}`;
  }
};

describe('columns for the side of an amount', () => {
  /** A charge of 33.50 and an income of 7. */
  const file = (title: string, charge: string, income: string) =>
    `Fecha;Concepto;Importe;${title}\n15/01/2026;Luz;33,50;${charge}\n15/01/2026;Venta;7,00;${income}`;
  const ways: [string, string, string][] = [
    ['D/H', 'D', 'H'],
    ['Debe/Haber', 'Debe', 'Haber'],
    ['C/D', 'D', 'C'],
    ['Cargo/Abono', 'Cargo', 'Abono'],
    ['Cargo/Abono', 'C', 'A'],
    ['+/-', '-', '+'],
    ['+/−', '−', '+'],
    ['Signo', '-', ''],
    ['Debit/Credit', 'DR', 'CR'],
    ['Signo', 'débito', 'CRÉDITO'],
  ];
  for (const [title, charge, income] of ways) {
    it(`${title} with ${charge} and ${income || 'nothing'}`, () => {
      // Unsigned, the two would be 33.50 + 7.00 = 40.50 that came in; they are −33.50 and +7.00.
      const read = readLines(file(title, charge, income));
      assert.deepEqual(lineAmounts(read), ['-33.5', '7']);
      assert.deepEqual(read.warnings, []);
    });
  }

  it('confirm amounts with signs', () => {
    assert.deepEqual(lineAmounts(readLines(file('D/H', 'D', 'H').replace('33,50', '-33,50'))), ['-33.5', '7']);
  });

  it('can accompany separate columns of debits and credits', () => {
    const read = readLines('Fecha;Importe;Debe;Haber;D/H\n15/01/2026;33,50;33,50;;D\n15/01/2026;7,00;;7,00;H');
    assert.deepEqual(lineAmounts(read), ['-33.5', '7']);
  });

  it('are ignored when empty, but then unsigned amounts are rejected', () => {
    assert.equal(refusal('Fecha;Importe;D/H\n15/01/2026;33,50;'), '2 sign invalid_sign');
    // Below a title of signs nothing means plus; and a sign of its own, or a column of debits, tells the side.
    for (const table of ['Fecha;Importe;+/-\n15/01/2026;33,50;', 'Fecha;Importe;Signo\n15/01/2026;33,50;']) {
      assert.deepEqual(lineAmounts(readLines(table)), ['33.5']);
    }
    for (const table of ['Fecha;Importe;D/H\n15/01/2026;-33,50;', 'Fecha;Debe;Haber;D/H\n15/01/2026;33,50;;']) {
      assert.deepEqual(lineAmounts(readLines(table)), ['-33.5']);
    }
  });

  it('are optional for signed amounts, and then reported as unread', () => {
    const read = readLines('Fecha;Tipo;Importe\n15/01/2026;D;-33,50\n15/01/2026;H;7,00');
    assert.deepEqual([lineAmounts(read), told(read)], [['-33.5', '7'], [['unknown_column', 'Tipo']]]);
  });
});

describe('columns of tables', () => {
  const table = 'Fecha;Oficina;Concepto;Movimiento;Importe;;Clave\n15/01/2026;0418;Recibo;Luz enero;33,50;x;D';

  it('are reported if unread, with or without a title', () => {
    const read = readLines('Fecha;Oficina;Concepto;Movimiento;Importe;\n15/01/2026;0418;Recibo;Luz enero;-33,50;x');
    assert.deepEqual(told(read), [
      ['unknown_column', 'Oficina'],
      ['unused_column', 'Movimiento'],
      ['untitled_column', 'column 6'],
    ]);
    assert.equal(read.statements[0]?.lines[0]?.text, 'Recibo');
  });

  it("follow the caller's mapping", () => {
    const mapping = { sign: ['Clave'], text: ['Concepto', 'Movimiento'], ignore: ['OFICINA'] };
    const read = readLines(table, mapping);
    assert.deepEqual([lineAmounts(read), read.statements[0]?.lines[0]?.text], [['-33.5'], 'Recibo Luz enero']);
    assert.deepEqual(told(read), [['untitled_column', 'column 6']]);
  });

  it('can have titles that only the mapping knows, even repeated ones', () => {
    const read = readLines('Día;Qué;Cuánto;Cuánto\n15/01/2026;Luz;-33,50;1000', {
      date: ['Día'],
      amount: ['Cuánto'],
      text: ['Qué'],
    });
    assert.deepEqual([lineAmounts(read), told(read)], [['-33.5'], [['unknown_column', 'Cuánto']]]);
  });

  it('must exist if mapped', () => {
    assert.throws(
      () => readLines(table, { sign: ['Signo'] }),
      (error: BadStatement) => {
        assert.deepEqual([error.errors[0]?.code, error.errors[0]?.column], ['missing_column', 'Signo']);
        return true;
      },
    );
  });

  it('can contain native values of workbooks', () => {
    // Excel: 33.5 is a number, whatever the decimal sign of the company; 2026-01-15 is a time.
    const rows: TableRow[] = [
      { line: 1, cells: ['Fecha', 'Concepto', 'Importe', 'Saldo'] },
      { line: 2, cells: [{ wall: Date.UTC(2026, 0, 15) }, 42, -33.5, '1.066,50'] },
    ];
    const step = readTable(rows, HINTS);
    let next = step.next();
    while (!next.done) next = step.next();
    const [statement] = next.value.statements;
    assert.deepEqual(
      [statement?.lines[0]?.date, statement?.lines[0]?.text, statement?.lines[0]?.amount, statement?.opening],
      ['2026-01-15', '42', '-33.5', '1100'],
    );
  });
});

describe('columns of debits and credits', () => {
  const day = '15/01/2026';

  it('have debits with or without a sign', () => {
    assert.deepEqual(lineAmounts(readLines(`Fecha;Debe;Haber\n${day};10;\n${day};;7\n${day};0;`)), ['-10', '7', '0']);
    assert.deepEqual(lineAmounts(readLines(`Fecha;Debe;Haber\n${day};-10;\n${day};;7`)), ['-10', '7']);
  });

  it('are rejected for a signed debit among unsigned ones, unless a balance confirms it', () => {
    // Two charges of 10 and 20, and 5 of a charge that came back: −10 − 20 + 5 = −25, not −35.
    assert.equal(refusal(`Fecha;Debe;Haber\n${day};10;\n${day};20;\n${day};-5;`), '4 debit unclear_sign');
    // 100 − 10 = 90, 90 − 20 = 70, 70 + 5 = 75; but 65 if it were a charge.
    const balanced = (last: string) => `Fecha;Debe;Haber;Saldo\n${day};10;;90\n${day};20;;70\n${day};-5;;${last}`;
    assert.deepEqual(lineAmounts(readLines(balanced('75'))), ['-10', '-20', '5']);
    assert.equal(refusal(balanced('65')), '4 balance balance_mismatch');
    assert.equal(refusal(balanced('')), '4 debit unclear_sign');
    // An amount with its sign says it too, and so does a column of sides.
    const amounts = `Fecha;Importe;Debe;Haber\n${day};-10;10;\n${day};5;-5;`;
    assert.deepEqual(lineAmounts(readLines(amounts)), ['-10', '5']);
    assert.deepEqual(lineAmounts(readLines(`Fecha;Debe;Haber;D/H\n${day};10;;D\n${day};-5;;H`)), ['-10', '5']);
    assert.equal(refusal(`Fecha;Debe;Haber;D/H\n${day};10;;D\n${day};-5;;D`), '3 amount contradictory_amount');
    // The balance of the oldest row confirms nothing: 80 + 5 = 85 or 90 − 5 = 85 before it. Amounts without signs do not, either.
    assert.equal(refusal(`Fecha;Debe;Haber;Saldo\n${day};-5;;85\n${day};10;;75`), '2 debit unclear_sign');
    assert.equal(refusal(`Fecha;Debe;Haber;Saldo\n${day};10;;75\n${day};-5;;85`), '3 debit unclear_sign');
    assert.equal(refusal(`Fecha;Importe;Debe;Haber\n${day};10;10;\n${day};5;-5;`), '3 debit unclear_sign');
  });

  it('are confirmed for each account of a file', () => {
    const file = `Cuenta;Fecha;Debe;Haber;Saldo\nA;${day};10;;90\nA;${day};20;;70\nB;${day};-5;;75`;
    assert.equal(refusal(file), '4 debit unclear_sign');
  });
});
