import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Camt053Reader } from '../../../../domain/bank/statements/camt053.ts';
import { decodeText, detectFormat } from '../../../../domain/bank/statements/format.ts';
import { Norma43Reader } from '../../../../domain/bank/statements/norma43.ts';
import {
  BadStatement,
  type BankStatement,
  type StatementReader,
} from '../../../../domain/bank/statements/statement.ts';
import { closingBalance, type Sample, writeCamt053, writeNorma43 } from '../../../helpers/bank-files.ts';
import { assertReadOrRefused, changesWith } from './changed-files.ts';
import { arbitraryStatement, poorLine, richLine } from './samples.ts';

const camtFiles = fc.record({
  statements: fc.array(arbitraryStatement(richLine), { minLength: 1, maxLength: 3 }),
  version: fc.constantFrom('02', '04', '06', '08', '10'),
  indent: fc.constantFrom('', '\n', '\r\n\t'),
});
const norma43Files = fc.record({
  statements: fc.array(arbitraryStatement(poorLine), { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom('\n', '\r\n'),
});

function read(reader: StatementReader, text: string, piece: number): BankStatement[] {
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  return [...reader.end().statements];
}

/** Returns the statements as they must be read; lines of the file aside. */
function expected(statements: readonly Sample[]) {
  return statements.map((statement) => ({ ...statement, closing: closingBalance(statement) }));
}

function withoutLines(statements: readonly BankStatement[]) {
  return statements.map((one) => ({ ...one, lines: one.lines.map(({ line: _, ...rest }) => rest) }));
}

describe('bank statements read back', () => {
  it('are unchanged in camt.053 of any version and in chunks of any size', () => {
    fc.assert(
      fc.property(camtFiles, fc.integer({ min: 1, max: 500 }), ({ statements, ...options }, piece) => {
        const text = writeCamt053(statements, options);
        assert.equal(detectFormat(Buffer.from(text)), 'camt053');
        assert.deepEqual(withoutLines(read(new Camt053Reader(), text, piece)), expected(statements));
      }),
    );
  });

  it('are unchanged in Norma 43, in ISO-8859-1 and in UTF-8', () => {
    fc.assert(
      fc.property(
        norma43Files,
        fc.constantFrom('latin1' as const, 'utf8' as const),
        ({ statements, end }, encoding) => {
          const content = Buffer.from(writeNorma43(statements, end), encoding);
          assert.equal(detectFormat(content), 'norma43');
          const text = decodeText('norma43', content);
          assert.deepEqual(withoutLines(read(new Norma43Reader(), text, 100)), expected(statements));
        },
      ),
    );
  });

  it('report the lines of the file', () => {
    const [sample] = fc.sample(arbitraryStatement(richLine), { numRuns: 1, seed: 7 }) as [Sample];
    const text = writeCamt053([sample], { indent: '\n' });
    const [statement] = read(new Camt053Reader(), text, 1000);
    const rows = text.split('\n');
    for (const { line } of statement?.lines ?? []) assert.match(rows[line - 1] ?? '', /^<Ntry>/);
  });
});

describe('modified bank files', () => {
  const changes = changesWith('<', '</Ntry>', '&a;', '\n', '22', '1', '<!DOCTYPE x>');

  for (const [name, make, reader] of [
    ['camt.053', camtFiles.map(({ statements, ...rest }) => writeCamt053(statements, rest)), () => new Camt053Reader()],
    ['Norma 43', norma43Files.map(({ statements, end }) => writeNorma43(statements, end)), () => new Norma43Reader()],
  ] as const) {
    it(`are read or refused with a line, never fail otherwise: ${name}`, () => {
      fc.assert(
        fc.property(make, changes, (file, all) => assertReadOrRefused(file, all, (text) => read(reader(), text, 64))),
        { numRuns: 300 },
      );
    });

    it(`are refused when they end too early: ${name}`, () => {
      fc.assert(
        fc.property(make, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
          const whole = text.trimEnd();
          const cut = whole.slice(0, Math.floor(share * (whole.length - 1)));
          // The last record of Norma 43 is filled up with blanks, which tell nothing.
          fc.pre(cut.trimEnd().length < whole.length);
          assert.throws(() => read(reader(), cut, 64), BadStatement);
        }),
      );
    });
  }
});
