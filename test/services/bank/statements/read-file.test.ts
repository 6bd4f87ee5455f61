import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BadStatement } from '../../../../domain/bank/statements/statement.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { readBankFile } from '../../../../services/bank/statements/read-file.ts';
import { IBAN, sample, sampleLine, writeCamt053, writeNorma43, writeOfx } from '../../../helpers/bank-files.ts';

const HINTS = { dateFormat: 'dd/MM/yyyy', decimalSign: ',' } as const;
const bytes = (text: string) => Buffer.from(text);

async function fileFault(content: Uint8Array) {
  const error = await readBankFile(content, HINTS).then(
    () => assert.fail('was read'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BadStatement)) throw error;
  const [{ line, column, code } = assert.fail('no fault')] = error.errors;
  return [code, line, column];
}

describe('untrustworthy bank files', () => {
  const camt = writeCamt053([sample()]);
  const cases: [string, string, [string, number, string | null]][] = [
    ['another closing balance', camt.replace('1121.00', '1121.01'), ['balance_mismatch', 3, 'Bal']],
    ['another amount', camt.replace('>121.00', '>120.99'), ['balance_mismatch', 3, 'Bal']],
    [
      'an entry in dollars',
      camt.replace('<Amt Ccy="EUR">121.00', '<Amt Ccy="USD">121.00'),
      ['other_currency', 8, 'Amt'],
    ],
    ['an IBAN with wrong check digits', camt.replace(IBAN, IBAN.replace(/.$/, '3')), ['invalid_iban', 5, 'IBAN']],
    ['three decimals', camt.replace('>121.00', '>121.001'), ['invalid_amount', 8, 'Amt']],
    ['an amount that is none', camt.replace('>121.00', '>1e5'), ['invalid_amount', 8, 'Amt']],
    [
      'a day that does not exist',
      camt.replace('<BookgDt><Dt>2026-01-15', '<BookgDt><Dt>2026-02-30'),
      ['invalid_date', 8, 'BookgDt/Dt'],
    ],
    [
      'neither credit nor debit',
      camt.replace('CRDT</CdtDbtInd><Sts', 'PLUS</CdtDbtInd><Sts'),
      ['missing_element', 8, 'CdtDbtInd'],
    ],
    ['no closing balance', camt.replace('CLBD', 'CLAV'), ['missing_balance', 3, 'Bal']],
    [
      'a count that is not true',
      camt.replace('<Ntry>', '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry><Ntry>'),
      ['control_count', 8, 'NbOfNtries'],
    ],
    [
      'a sum that is not true',
      camt.replace(
        '<Ntry>',
        '<TxsSummry><TtlNtries><TtlNetNtryAmt>120</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries></TxsSummry><Ntry>',
      ),
      ['control_sum', 8, 'TtlNetNtryAmt'],
    ],
    ['a report of the day', camt.replace('camt.053.001.02', 'camt.052.001.02'), ['unsupported_message', 2, 'Document']],
    ['another XML', '<html/>', ['unsupported_message', 1, 'html']],
    ['a document type', camt.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'), ['doctype', 2, null]],
    ['an unknown entity', camt.replace('BOOK', '&lol;'), ['invalid_xml', 8, null]],
    ['no statement', camt.replaceAll(/<Stmt>.*<\/Stmt>/gs, ''), ['no_statement', 1, null]],
    ['the end missing', camt.slice(0, -20), ['invalid_xml', 8, null]],
    ['elements without bottom', camt.replace('<Ntry>', '<Ntry>'.repeat(60)), ['too_deep', 8, null]],
    ['an encoding that it has not', `${camt.replace('UTF-8', 'EBCDIC')}`, ['invalid_encoding', 1, 'encoding']],
  ];
  const ofx = writeOfx([sample()]);
  cases.push(
    ['OFX without a statement', '<OFX><SIGNONMSGSRSV1></SIGNONMSGSRSV1></OFX>', ['no_statement', 1, null]],
    ['OFX that ends too early', ofx.slice(0, -20), ['truncated', 13, 'OFX']],
    ['OFX with a document type', ofx.replace('<OFX>', '<!DOCTYPE OFX><OFX>'), ['doctype', 6, null]],
    ['OFX with a tag that ends nothing', ofx.replace('<STMTTRN>', '</STMTTRN>'), ['invalid_ofx', 11, null]],
    ['OFX without bottom', ofx.replace('<STMTTRN>', '<A>'.repeat(60)), ['too_deep', 11, null]],
    [
      'OFX with a day that does not exist',
      ofx.replace('<DTPOSTED>20260115', '<DTPOSTED>20260230'),
      ['invalid_date', 11, 'DTPOSTED'],
    ],
    ['OFX with an amount that is none', ofx.replace('<TRNAMT>121', '<TRNAMT>12x'), ['invalid_amount', 11, 'TRNAMT']],
    ['OFX without an amount', ofx.replace('<TRNAMT>121', ''), ['missing_element', 11, 'TRNAMT']],
    ['OFX without an account', ofx.replace(/<ACCTID>\w+/, ''), ['missing_element', 7, 'ACCTID']],
    ['an old workbook', '\u00d0\u00cf\u0011\u00e0', ['old_excel', 1, null]],
  );
  const norma = writeNorma43([sample({ lines: [sampleLine(), sampleLine({ amount: '-21.5', text: 'COMISION' })] })]);
  const records = norma.split('\r\n');
  const changed = (at: number, from: number, text: string) =>
    records
      .map((one, index) => (index === at ? one.slice(0, from - 1) + text + one.slice(from - 1 + text.length) : one))
      .join('\r\n');
  cases.push(
    ['a sum of debits that is not true', changed(4, 26, '00000000002151'), ['control_sum', 5, '33']],
    ['a closing balance that does not follow', changed(4, 60, '00000000109951'), ['balance_mismatch', 5, '33']],
    ['totals of another account', changed(4, 3, '2101'), ['other_account', 5, '33']],
    ['totals in another currency', changed(4, 74, '840'), ['other_currency', 5, '33']],
    ['a currency nobody knows', changed(0, 48, '001'), ['unknown_currency', 1, '11']],
    ['a number of records that is none', changed(5, 21, '00000x'), ['invalid_number', 6, '88']],
    ['no last record', records.slice(0, 5).join('\r\n'), ['truncated', 5, '88']],
    ['no totals', records.filter((_, at) => at !== 4).join('\r\n'), ['missing_record', 5, '88']],
    ['something behind the end', `${norma}${records[1]}`, ['after_end', 7, '22']],
    ['a record of no kind', changed(2, 1, '25'), ['unknown_record', 3, '25']],
    ['a line too long', changed(1, 80, 'xy'), ['invalid_length', 2, null]],
    ['an amount of letters', changed(1, 29, 'ABC'), ['invalid_number', 2, '22']],
    ['a sign that is none', changed(1, 28, '3'), ['invalid_sign', 2, '22']],
    ['a day that does not exist', changed(1, 11, '260230'), ['invalid_date', 2, '22']],
    ['a text of no movement', [records[0], records[3], ...records.slice(4)].join('\n'), ['missing_record', 2, '23']],
  );
  const csv = 'Fecha;Concepto;Importe;Saldo\n15/01/2026;A;121,00;1121,00\n16/01/2026;B;-21,00;1100,00\n';
  cases.push(
    ['no header', '1;2;3\n', ['missing_header', 1, null]],
    ['no lines', 'Fecha;Importe\n', ['no_lines', 1, null]],
    ['a balance that does not follow', csv.replace('1100', '1101'), ['balance_mismatch', 3, 'balance']],
    ['a day that does not exist', csv.replace('15/01', '30/02'), ['invalid_date', 2, 'date']],
    ['an amount that is none', csv.replace('-21,00', 'x'), ['invalid_amount', 3, 'amount']],
    ['two currencies', 'Fecha,Importe,Divisa\n2026-01-01,1,EUR\n2026-01-02,1,USD', ['other_currency', 3, 'currency']],
    ['two columns for one thing', 'Fecha,Date,Importe\n2026-01-01,2026-01-01,1', ['ambiguous_column', 1, 'Date']],
    [
      'an account with wrong check digits',
      `IBAN,Fecha,Importe\n${IBAN.replace(/.$/, '3')},2026-01-01,1`,
      ['invalid_iban', 2, 'account'],
    ],
    ['a side that is none', 'Fecha,Importe,D/H\n2026-01-01,1,D\n2026-01-02,1,X', ['invalid_sign', 3, 'sign']],
    ['no side', 'Fecha,Importe,D/H\n2026-01-01,1,D\n2026-01-02,1,', ['invalid_sign', 3, 'sign']],
    [
      'an amount against its side',
      'Fecha,Importe,D/H\n2026-01-01,-1,D\n2026-01-02,-1,H',
      ['contradictory_amount', 3, 'amount'],
    ],
    ['an amount that is another apart', 'Fecha,Importe,Debe\n2026-01-01,-1,2', ['contradictory_amount', 2, 'amount']],
    ['a C that may be either', 'Fecha,Importe,Signo\n2026-01-01,1,C', ['unclear_sign', 1, 'sign']],
    ['sides under an unknown title', 'Fecha,Importe,Tipo\n2026-01-01,1,D', ['unclear_column', 1, 'Tipo']],
    ['a table of very many columns', `Fecha,Importe\n2026-01-01,1${','.repeat(100)}x`, ['too_many_columns', 2, null]],
    ['a quotation mark that is never closed', 'Fecha,Importe\n"2026-01-01,1', ['invalid_csv', 2, null]],
  );
  for (const [name, text, fault] of cases) {
    it(`${name}: ${fault[0]}`, async () => {
      assert.deepEqual(await fileFault(fault[0] === 'old_excel' ? Buffer.from(text, 'latin1') : bytes(text)), fault);
    });
  }

  it('are rejected if their bytes are no text', async () => {
    assert.equal((await fileFault(Buffer.from([0x3c, 0x61, 0xff, 0x3e])))[0], 'invalid_encoding');
    assert.equal((await fileFault(Buffer.from('Fecha;Importe\n1\u00002')))[0], 'invalid_encoding');
    assert.equal((await fileFault(Buffer.from(`\ufeff${norma}`, 'utf16le')))[0], 'invalid_encoding');
  });

  it('are rejected without any other error, whatever their bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('camt053' as const, 'norma43' as const, 'csv' as const, 'excel' as const, 'ofx' as const),
        async (content, format) => {
          await readBankFile(content, HINTS, { format }).catch((error: unknown) => {
            if (!(error instanceof BadStatement)) throw error;
          });
        },
      ),
    );
  });

  it('take time proportional to their size, even if made to be slow', async function () {
    this.timeout(60_000);
    const MIB = 1024 * 1024;
    const open = camt.slice(0, camt.indexOf('<Ntry>') + 6);
    const files = [
      `<?xml version="1.0"?><!DOCTYPE ${'x'.repeat(4 * MIB)}`,
      `<a ${'b="c" '.repeat(MIB / 4)}`,
      `${open}${'<a/>'.repeat(MIB)}`,
      `${open}<Nm>${'&amp;'.repeat(MIB)}`,
      `11${'0'.repeat(4 * MIB)}`,
      `<OFX>${'<A>1'.repeat(MIB)}`,
      `<OFX>${'x'.repeat(4 * MIB)}`,
      `<OFX>${'<STMTRS></STMTRS>'.repeat(MIB / 4)}`,
      '\r'.repeat(4 * MIB),
      `Fecha;Importe\n${';'.repeat(4 * MIB)}`,
    ];
    for (const file of files) await fileFault(bytes(file));
  });
});

describe('camt.053', () => {
  const details = (amounts: readonly string[]) =>
    amounts
      .map(
        (amount, index) =>
          `<TxDtls><Refs><EndToEndId>E${index}</EndToEndId></Refs><AmtDtls><TxAmt><Amt ` +
          `Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`,
      )
      .join('');
  const batch = (amounts: readonly string[]) =>
    writeCamt053([sample({ lines: [sampleLine({ bankReference: 'B1' })] })]).replace(
      '</Ntry>',
      `<NtryDtls><Btch/>${details(amounts)}</NtryDtls></Ntry>`,
    );

  it('has a line for each transaction booked together', async () => {
    const { statements } = await readBankFile(bytes(batch(['100', '21'])), HINTS);
    const lines = statements[0]?.lines.map(({ amount, endToEndId, bankReference }) => [
      amount,
      endToEndId,
      bankReference,
    ]);
    assert.deepEqual(lines, [
      ['100', 'E0', 'B1'],
      ['21', 'E1', 'B1'],
    ]);
  });

  it('keeps an entry whole if its transactions do not add up', async () => {
    const { statements } = await readBankFile(bytes(batch(['100', '22'])), HINTS);
    assert.deepEqual(
      statements[0]?.lines.map(({ amount }) => amount),
      ['121'],
    );
  });

  it('skips entries that are not booked', async () => {
    const pending = '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry>';
    const { statements } = await readBankFile(
      bytes(writeCamt053([sample()]).replace('<Ntry>', `${pending}<Ntry>`)),
      HINTS,
    );
    assert.deepEqual(
      statements[0]?.lines.map(({ amount }) => amount),
      ['121'],
    );
  });

  it('ignores sums of a summary that counts unbooked entries', async () => {
    const pending = '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry>';
    const summary = (count: number, net: string) =>
      `<TxsSummry><TtlNtries><NbOfNtries>${count}</NbOfNtries><TtlNetNtryAmt>${net}</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries></TxsSummry>`;
    const file = (count: number, net: string, entries = '') =>
      bytes(writeCamt053([sample()]).replace('<Ntry>', `${summary(count, net)}${entries}<Ntry>`));
    // Banks count them, and add them up or not.
    for (const net of ['126.00', '121.00']) {
      const { statements } = await readBankFile(file(2, net, pending), HINTS);
      assert.deepEqual(
        statements[0]?.lines.map(({ amount }) => amount),
        ['121'],
      );
    }
    assert.deepEqual((await fileFault(file(1, '121.00', pending)))[0], 'control_count');
    assert.equal((await readBankFile(file(1, '121.00'), HINTS)).statements[0]?.lines.length, 1);
    assert.deepEqual((await fileFault(file(1, '126.00')))[0], 'control_sum');
  });

  it('uses the first of several opening balances and the last closing one', async () => {
    const balance = (code: string, amount: Decimal, day: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt ` +
      `Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
    const file = (codes: readonly [string, string]) => {
      const [opening, closing] = codes;
      const balances = [
        balance(opening, '1000.00', '2026-01-14'),
        balance(closing, '1050.00', '2026-01-14'),
        balance(opening, '1050.00', '2026-01-15'),
        balance(closing, '1121.00', '2026-01-15'),
      ].join('');
      return bytes(writeCamt053([sample()]).replace(/<Bal>.*<\/Bal>/s, balances));
    };
    for (const codes of [
      ['OPBD', 'CLBD'],
      ['PRCD', 'CLBD'],
      ['OPBD', 'ITBD'],
    ] as const) {
      const { statements } = await readBankFile(file(codes), HINTS);
      assert.deepEqual([statements[0]?.opening, statements[0]?.closing], ['1000', '1121'], codes.join());
    }
  });

  it('keeps the party of a reversed entry', async () => {
    const parties =
      '<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Quien paga</Nm></Dbtr><Cdtr><Nm>Quien cobra</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>';
    const party = async (amount: Decimal, reversal: boolean) => {
      const text = writeCamt053([sample({ lines: [sampleLine({ amount, reversal })] })]);
      const own = text.replace(/<NtryDtls>.*<\/NtryDtls>/s, '').replace('</Ntry>', `${parties}</Ntry>`);
      const { statements } = await readBankFile(bytes(own), HINTS);
      const [line] = statements[0]?.lines ?? [];
      return [line?.amount, line?.reversal, line?.counterpartyName];
    };
    assert.deepEqual(await party('121', false), ['121', false, 'Quien paga']);
    assert.deepEqual(await party('-121', false), ['-121', false, 'Quien cobra']);
    assert.deepEqual(await party('-121', true), ['-121', true, 'Quien paga'], 'a debit that a customer has returned');
    assert.deepEqual(await party('121', true), ['121', true, 'Quien cobra'], 'a transfer that has come back');
  });

  it('is decoded by its declared encoding', async () => {
    const text = writeCamt053([sample({ lines: [sampleLine({ text: 'Año' })] })]);
    const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    for (const content of [bytes(`\ufeff${text}`), latin, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      assert.equal((await readBankFile(content, HINTS)).statements[0]?.lines[0]?.text, 'Año');
    }
  });
});

describe('bank tables', () => {
  const read = async (text: string) => (await readBankFile(bytes(text), HINTS)).statements;

  it('are read as Spanish banks write them, below lines about the account', async () => {
    const [statement] = await read(
      'Cuenta;ES91 2100 0418\n\nF. Operación;F. Valor;Concepto;Importe (EUR);Saldo\n16/01/2026;16/01/2026;"Recibo; ' +
        'luz";-1.021,50;99,50\n15/01/26;;Nómina;121,00;1.121,00\n',
    );
    assert.deepEqual(
      { from: statement?.from, to: statement?.to, opening: statement?.opening, closing: statement?.closing },
      { from: '2026-01-15', to: '2026-01-16', opening: '1000', closing: '99.5' },
    );
    assert.deepEqual(
      statement?.lines.map(({ date, valueDate, amount, text }) => ({ date, valueDate, amount, text })),
      [
        { date: '2026-01-16', valueDate: '2026-01-16', amount: '-1021.5', text: 'Recibo; luz' },
        { date: '2026-01-15', valueDate: null, amount: '121', text: 'Nómina' },
      ],
    );
  });

  for (const sign of ['', '-']) {
    it(`money out is money out in a column of its own ${sign === '' ? 'without signs' : 'with signs'}`, async () => {
      const [statement] = await read(
        `Fecha;Cargo;Abono\n15/01/2026;${sign}10,50;\n15/01/2026;;7,00\n15/01/2026;${sign}1,00;0,00\n`,
      );
      assert.deepEqual(
        statement?.lines.map(({ amount }) => amount),
        ['-10.5', '7', '-1'],
      );
    });
  }

  it('are read as English banks write them, with money in and out apart', async () => {
    const [statement] = await read(
      `Account,Date,Description,Paid out,Paid in,Currency,Transaction ID,Counterparty ` +
        `IBAN\n${IBAN},01/25/2026,Fee,"1,200.50",,EUR,T1,${IBAN}\n${IBAN},01/26/2026,Sale,,7.00,EUR,T2,\n`,
    );
    assert.deepEqual(statement?.account, { iban: IBAN, number: null });
    assert.equal(statement?.currency, 'EUR');
    assert.deepEqual(
      statement?.lines.map(({ date, amount, bankReference, counterpartyIban }) => ({
        date,
        amount,
        bankReference,
        counterpartyIban,
      })),
      [
        { date: '2026-01-25', amount: '-1200.5', bankReference: 'T1', counterpartyIban: IBAN },
        { date: '2026-01-26', amount: '7', bankReference: 'T2', counterpartyIban: null },
      ],
    );
  });
});
