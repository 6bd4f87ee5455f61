import assert from 'node:assert/strict';
import { type CsvRow, readCsvStatements } from '../../../domain/bank/csv.ts';
import type { BankStatement } from '../../../domain/bank/statement.ts';

const HINTS = { dateFormat: 'dd/MM/yyyy', decimalSign: ',' } as const;

describe('tables of banks with many rows', () => {
  it('are read with pauses, in which others are served', () => {
    const rows = Array.from({ length: 5000 }, (_, at): CsvRow => {
      return { line: at + 2, cells: [`${String((at % 28) + 1).padStart(2, '0')}/02/2026`, `Pago ${at}`, `${at},50`] };
    });
    const steps = readCsvStatements([{ line: 1, cells: ['Fecha', 'Concepto', 'Importe'] }, ...rows], HINTS);
    let pauses = 0;
    let read: BankStatement[] | undefined;
    while (read === undefined) {
      const step = steps.next();
      if (step.done) read = step.value;
      else pauses++;
    }
    assert.ok(pauses >= 10, `${pauses} pauses`);
    const [statement] = read;
    assert.deepEqual(
      { lines: statement?.lines.length, from: statement?.from, to: statement?.to },
      { lines: 5000, from: '2026-02-01', to: '2026-02-28' },
    );
    assert.deepEqual(statement?.lines.at(-1)?.amount, '4999.5');
  });
});
