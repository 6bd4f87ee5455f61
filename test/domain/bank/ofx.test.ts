import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatOf } from '../../../domain/bank/format.ts';
import { OfxReader } from '../../../domain/bank/ofx.ts';
import type { ReadFile } from '../../../domain/bank/statement.ts';
import { closingOf, IBAN, sample, sampleLine, writeOfx } from '../../helpers/bank-files.ts';
import { assertReadOrRefused, changesWith } from './changed-files.ts';
import { poorLine, statementOf } from './samples.ts';

function read(text: string, piece = 1000): ReadFile {
  const reader = new OfxReader();
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  return reader.end();
}

const files = fc.record({
  statements: fc.array(statementOf(poorLine), { minLength: 1, maxLength: 3 }),
  version: fc.constantFrom(1 as const, 2 as const),
});

describe('OFX', () => {
  it('is read as it was written, in both versions and in pieces of any size', () => {
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 500 }), ({ statements, version }, piece) => {
        const text = writeOfx(statements, version);
        assert.equal(formatOf(Buffer.from(text)), 'ofx');
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
            return { account, currency, from, to, opening: null, closing: closingOf(one) };
          }),
        );
        assert.deepEqual(
          found.map(({ lines }) => lines.map(({ date, amount, text: said }) => [date, amount, said])),
          statements.map(({ lines }) => lines.map(({ date, amount, text: said }) => [date, amount, said])),
        );
      }),
    );
  });

  it('names lines of the file, references and parties', () => {
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

  it('knows the account by IBAN, CCC or its parts; any other number is told', () => {
    const ccc = IBAN.slice(4);
    const of = (account: string) => read(writeOfx([sample()]).replace(/<ACCTID>\w+/, account)).statements[0]?.account;
    const known = { iban: IBAN, number: null };
    assert.deepEqual(of(`<ACCTID>${ccc}`), known);
    assert.deepEqual(of(`<BANKID>${ccc.slice(0, 4)}<BRANCHID>${ccc.slice(4, 8)}<ACCTID>${ccc.slice(10)}`), known);
    assert.deepEqual(of(`<ACCTID>${ccc.slice(0, 8)}99${ccc.slice(10)}`)?.iban, null, 'check digits that are wrong');
    assert.deepEqual(of('<ACCTID>4000 1234'), { iban: null, number: '4000 1234' });
  });

  it('takes empty values without an end for what they are', () => {
    const text = writeOfx([sample()])
      .replace('<TRNAMT>', '<MEMO><CHECKNUM><TRNAMT>')
      .replace('<BANKTRANLIST>', '<MKTGINFO><BANKTRANLIST>');
    const [found] = read(text).statements;
    assert.deepEqual([found?.lines[0]?.amount, found?.from, found?.closing], ['121', '2026-01-15', '1121']);
  });

  it('reads amounts with a comma, and refuses those in another currency', () => {
    const file = writeOfx([sample()]);
    assert.equal(read(file.replace('<TRNAMT>121', '<TRNAMT>-33,50')).statements[0]?.lines[0]?.amount, '-33.5');
    const dollars = file.replace('<TRNAMT>121', '<TRNAMT>121<CURRENCY><CURRATE>1<CURSYM>USD</CURRENCY>');
    assert.throws(() => read(dollars), { message: 'is in USD, but the account is in EUR' });
  });

  it('has a closing balance only when it is that of its last day', () => {
    const later = writeOfx([sample()]).replace('<DTASOF>20260115', '<DTASOF>20260301');
    assert.equal(read(later).statements[0]?.closing, null);
  });

  it('of investments is left out with a warning beside accounts of banks', () => {
    const both = writeOfx([sample()]).replace(
      '</OFX>',
      '<INVSTMTRS><STMTTRN><DTPOSTED>20260101<TRNAMT>1</STMTTRN></INVSTMTRS></OFX>',
    );
    const { statements, warnings } = read(both);
    assert.deepEqual([statements.length, warnings[0]?.code], [1, 'unsupported_statement']);
  });

  it('with any change is read or refused with a line, and fails in no other way', () => {
    const changes = changesWith('<', '</STMTTRN>', '<A>', '&#0;', '<!--', '<![CDATA[', '/>');
    fc.assert(
      fc.property(files, changes, ({ statements, version }, all) =>
        assertReadOrRefused(writeOfx(statements, version), all, (text) => read(text, 64)),
      ),
      { numRuns: 300 },
    );
  });
});
