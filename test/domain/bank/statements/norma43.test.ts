import assert from 'node:assert/strict';
import { Norma43Reader } from '../../../../domain/bank/statements/norma43.ts';
import type { ReadFile } from '../../../../domain/bank/statements/statement.ts';
import { sample, sampleLine, writeNorma43 } from '../../../helpers/bank-files.ts';

/** 1000 + 121 − 21.50 = 1099.50; six records, of which 88 is the last. */
const RECORDS = writeNorma43([
  sample({ lines: [sampleLine(), sampleLine({ amount: '-21.5', text: 'COMISION' })] }),
]).split('\r\n');

/** The file with a text at a position of a record. */
function changed(record: number, from: number, text: string): ReadFile {
  const lines = RECORDS.map((one, at) =>
    at === record ? one.slice(0, from - 1) + text + one.slice(from - 1 + text.length) : one,
  );
  const reader = new Norma43Reader();
  reader.push(lines.join('\r\n'));
  return reader.end();
}

const fileWarnings = ({ warnings }: ReadFile) =>
  warnings.map(({ line, column, code, message }) => [code, line, column, message]);

describe('Norma 43 in real files', () => {
  it('has no warning if everything adds up', () => {
    assert.deepEqual(changed(0, 1, '11').warnings, []);
  });

  it('is accepted with a last record that counts itself', () => {
    // 11, 22, 22, 23, 33 are five records; a bank that counts 88 too writes six.
    const read = changed(5, 21, '000006');
    const words = 'says 6 records, but the file has 5 before it: it counts itself';
    assert.deepEqual(fileWarnings(read), [['control_count', 6, '88', words]]);
    assert.deepEqual(
      read.statements[0]?.lines.map(({ amount }) => amount),
      ['121', '-21.5'],
    );
  });

  it('is accepted with counts that are off by one if sums are right', () => {
    assert.deepEqual(fileWarnings(changed(5, 21, '000004')), [
      ['control_count', 6, '88', 'says 4 records, but the file has 5 before it'],
    ]);
    assert.deepEqual(fileWarnings(changed(4, 21, '00002')), [
      ['control_count', 5, '33', 'says 2 debits, but the file has 1, whose sum is right'],
    ]);
    assert.deepEqual(fileWarnings(changed(4, 40, '00000')), [
      ['control_count', 5, '33', 'says 0 credits, but the file has 1, whose sum is right'],
    ]);
  });

  it('is accepted with zeros in place of a closing balance', () => {
    const read = changed(4, 59, `2${'0'.repeat(14)}`);
    assert.deepEqual(fileWarnings(read)[0]?.slice(0, 3), ['no_balance', 5, '33']);
    const [statement] = read.statements;
    assert.deepEqual([statement?.opening, statement?.closing], ['1000', null]);
  });

  it('has a closing balance of zero if the movements lead to it', () => {
    const lines = [sampleLine({ amount: '-1000' })];
    const reader = new Norma43Reader();
    reader.push(writeNorma43([sample({ lines })]));
    const { statements, warnings } = reader.end();
    assert.deepEqual([statements[0]?.closing, warnings], ['0', []]);
  });

  it('lists a hundred warnings, and counts the others', () => {
    const reader = new Norma43Reader();
    const one = RECORDS.slice(0, 5).map((record, at) =>
      at === 4 ? `${record.slice(0, 20)}00009${record.slice(25)}` : record,
    );
    for (let at = 0; at < 150; at++) reader.push(`${one.join('\n')}\n`);
    reader.push(`88${'9'.repeat(18)}000750\n`);
    const { warnings, statements } = reader.end();
    assert.deepEqual(
      [statements.length, warnings.length, warnings.at(-1)?.message],
      [150, 101, '50 more warnings are not listed'],
    );
  });

  it('recognizes returns by their concept', () => {
    assert.deepEqual(
      changed(2, 23, '14').statements[0]?.lines.map(({ reversal }) => reversal),
      [false, true],
    );
  });
});
