import assert from 'node:assert/strict';
import fc from 'fast-check';
import { detectFormat } from '../../../../domain/bank/statements/format.ts';
import { OfxReader } from '../../../../domain/bank/statements/ofx.ts';
import type { ReadFile } from '../../../../domain/bank/statements/statement.ts';
import { closingBalance, IBAN, sample, sampleLine, writeOfx } from '../../../helpers/bank-files.ts';
import { assertReadOrRefused, changesWith } from './changed-files.ts';
import { arbitraryStatement, poorLine } from './samples.ts';

function read(text: string, piece = 1000): ReadFile {
  const reader = new OfxReader();
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  return reader.end();
}

const files = fc.record({
  statements: fc.array(arbitraryStatement(poorLine), { minLength: 1, maxLength: 3 }),
  version: fc.constantFrom(1 as const, 2 as const),
});

describe('OFX', () => {
  it('is read back unchanged, in both versions and in chunks of any size', () => {
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 500 }), ({ statements, version }, piece) => {
        const text = writeOfx(statements, version);
        assert.equal(detectFormat(Buffer.from(text)), 'ofx');
        const found = read(text, piece).statements;
        assert.deepEqual(
          found.map(({ account, currency, from, to, opening, closing }) => ({
            account,
            currency,
            from,
            to,
            opening,
            closing,
          })),
          statements.map((one) => {
            const { account, currency, from, to } = one;
            return { account, currency, from, to, opening: null, closing: closingBalance(one) };
          }),
        );
        assert.deepEqual(
          found.map(({ lines }) => lines.map(({ date, amount, text: said }) => [date, amount, said])),
          statements.map(({ lines }) => lines.map(({ date, amount, text: said }) => [date, amount, said])),
        );
      }),
    );
  });

  it('reports lines of the file, references and parties', () => {
    const line = sampleLine({
      bankReference: 'F1',
      reference: '77',
      counterpartyName: 'Luz & Gas',
      text: 'Recibo <luz>',
    });
    const [found] = read(
      writeOfx([sample({ lines: [line, sampleLine({ text: null, counterpartyName: 'COMISION' })] })]),
    ).statements;
    const [one, two] = found?.lines ?? [];
    assert.deepEqual(
      [one?.line, one?.bankReference, one?.reference, one?.counterpartyName, one?.text],
      [11, 'F1', '77', 'Luz & Gas', 'Recibo <luz>'],
    );
    assert.deepEqual([two?.line, two?.text], [12, 'COMISION']);
  });

  it('recognizes the account by IBAN, CCC or its parts, and reports any other number', () => {
    const ccc = IBAN.slice(4);
    const of = (account: string) => read(writeOfx([sample()]).replace(/<ACCTID>\w+/, account)).statements[0]?.account;
    const known = { iban: IBAN, number: null };
    assert.deepEqual(of(`<ACCTID>${ccc}`), known);
    assert.deepEqual(of(`<BANKID>${ccc.slice(0, 4)}<BRANCHID>${ccc.slice(4, 8)}<ACCTID>${ccc.slice(10)}`), known);
    assert.deepEqual(of(`<ACCTID>${ccc.slice(0, 8)}99${ccc.slice(10)}`)?.iban, null, 'check digits that are wrong');
    assert.deepEqual(of('<ACCTID>4000 1234'), { iban: null, number: '4000 1234' });
  });

  it('accepts empty values without an end tag', () => {
    const text = writeOfx([sample()])
      .replace('<TRNAMT>', '<MEMO><CHECKNUM><TRNAMT>')
      .replace('<BANKTRANLIST>', '<MKTGINFO><BANKTRANLIST>');
    const [found] = read(text).statements;
    assert.deepEqual([found?.lines[0]?.amount, found?.from, found?.closing], ['121', '2026-01-15', '1121']);
  });

  it('accepts amounts with a comma, and rejects those in another currency', () => {
    const file = writeOfx([sample()]);
    assert.equal(read(file.replace('<TRNAMT>121', '<TRNAMT>-33,50')).statements[0]?.lines[0]?.amount, '-33.5');
    const dollars = file.replace('<TRNAMT>121', '<TRNAMT>121<CURRENCY><CURRATE>1<CURSYM>USD</CURRENCY>');
    assert.throws(() => read(dollars), { message: 'is in USD, but the account is in EUR' });
  });

  it('has a closing balance only if it is from its last day', () => {
    const later = writeOfx([sample()]).replace('<DTASOF>20260115', '<DTASOF>20260301');
    assert.equal(read(later).statements[0]?.closing, null);
  });

  it('skips investments with a warning when the file also has bank accounts', () => {
    const both = writeOfx([sample()]).replace(
      '</OFX>',
      '<INVSTMTRS><STMTTRN><DTPOSTED>20260101<TRNAMT>1</STMTTRN></INVSTMTRS></OFX>',
    );
    const { statements, warnings } = read(both);
    assert.deepEqual([statements.length, warnings[0]?.code], [1, 'unsupported_statement']);
  });

  it('with any change is read or rejected with a line, and never fails otherwise', () => {
    const changes = changesWith('<', '</STMTTRN>', '<A>', '&#0;', '<!--', '<![CDATA[', '/>');
    fc.assert(
      fc.property(files, changes, ({ statements, version }, all) =>
        assertReadOrRefused(writeOfx(statements, version), all, (text) => read(text, 64)),
      ),
      { numRuns: 300 },
    );
  });
});
