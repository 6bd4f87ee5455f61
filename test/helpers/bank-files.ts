/** Writes statements as banks do, to be read back. */
import { cccToIban } from '../../domain/bank/statements/ccc.ts';
import type { BankStatement, StatementLine } from '../../domain/bank/statements/statement.ts';
import { type Decimal, decimal, sum } from '../../domain/money.ts';

/** A statement to be written; `line` of its lines is of no use for that. */
export type Sample = Omit<BankStatement, 'lines' | 'closing' | 'opening' | 'currency'> & {
  readonly opening: Decimal;
  readonly currency: string;
  readonly lines: readonly Omit<StatementLine, 'line'>[];
};

export const IBAN = cccToIban('2100', '0418', '0200051332');

export function closingBalance({ opening, lines }: Sample): Decimal {
  return sum([opening, ...lines.map(({ amount }) => amount)]).toFixed();
}

/** A line with what a test does not care about. */
export function sampleLine(values: Partial<StatementLine> = {}): Omit<StatementLine, 'line'> {
  return {
    date: '2026-01-15',
    valueDate: '2026-01-15',
    amount: '121',
    reference: null,
    bankReference: null,
    counterpartyName: null,
    counterpartyIban: null,
    text: null,
    endToEndId: null,
    reversal: false,
    ...values,
  };
}

export function sample(values: Partial<Sample> = {}): Sample {
  return {
    account: { iban: IBAN, number: null },
    currency: 'EUR',
    reference: null,
    from: '2026-01-15',
    to: '2026-01-15',
    opening: '1000',
    lines: [sampleLine()],
    ...values,
  };
}

export interface CamtOptions {
  readonly version?: string;
  /** Between elements. */
  readonly indent?: string;
}

export function writeCamt053(
  statements: readonly Sample[],
  { version = '02', indent = '\n' }: CamtOptions = {},
): string {
  const deep = Number(version) >= 8;
  const parts = statements.map((statement) => {
    const { account, currency, reference, from, to, opening, lines } = statement;
    const id = account.iban === null ? tag('Othr', leaf('Id', account.number)) : leaf('IBAN', account.iban);
    const balance = (code: string, amount: Decimal, day: string) =>
      tag('Bal', tag('Tp', tag('CdOrPrtry', leaf('Cd', code))) + money(amount, currency) + tag('Dt', leaf('Dt', day)));
    return tag(
      'Stmt',
      [
        leaf('Id', reference),
        tag('FrToDt', leaf('FrDtTm', `${from}T00:00:00`) + leaf('ToDtTm', `${to}T23:59:59`)),
        tag('Acct', tag('Id', id) + leaf('Ccy', currency)),
        balance('OPBD', opening, from),
        balance('CLBD', closingBalance(statement), to),
        ...lines.map((line) => entry(line, currency, deep)),
      ].join(indent),
    );
  });
  const name = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`;
  const header = tag('GrpHdr', leaf('MsgId', 'M1') + leaf('CreDtTm', '2026-01-16T06:00:00'));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document ` +
    `xmlns="${name}">${tag('BkToCstmrStmt', header + indent + parts.join(indent))}</Document>`
  );
}

function entry(line: Omit<StatementLine, 'line'>, currency: string, deep: boolean): string {
  const incoming = !line.amount.startsWith('-') !== (line.reversal || Boolean(line.returnReason));
  const role = incoming ? 'Dbtr' : 'Cdtr';
  const party = leaf('Nm', line.counterpartyName);
  const details = [
    tag('Refs', leaf('EndToEndId', line.endToEndId)),
    tag(
      'RltdPties',
      tag(role, deep ? tag('Pty', party) : party) + tag(`${role}Acct`, tag('Id', leaf('IBAN', line.counterpartyIban))),
    ),
    tag('RmtInf', leaf('Ustrd', line.text) + tag('Strd', tag('CdtrRefInf', leaf('Ref', line.reference)))),
    tag('RtrInf', tag('Rsn', leaf('Cd', line.returnReason ?? null))),
  ];
  return tag(
    'Ntry',
    [
      money(line.amount, currency),
      line.reversal ? leaf('RvslInd', 'true') : '',
      deep ? tag('Sts', leaf('Cd', 'BOOK')) : leaf('Sts', 'BOOK'),
      tag('BookgDt', leaf('Dt', line.date)),
      tag('ValDt', leaf('Dt', line.valueDate)),
      leaf('AcctSvcrRef', line.bankReference),
      tag('NtryDtls', tag('TxDtls', details.join(''))),
    ].join(''),
  );
}

function money(amount: Decimal, currency: string): string {
  const value = decimal(amount);
  return `<Amt Ccy="${currency}">${value.abs().toFixed(2)}</Amt>${leaf('CdtDbtInd', value.lt(0) ? 'DBIT' : 'CRDT')}`;
}

/** An element with elements, left out when it is empty. */
function tag(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

/** An element with text, left out without one. */
function leaf(name: string, text: string | null): string {
  return text === null ? '' : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** OFX of version 1, in which values have no end, or 2, in which they have. */
export function writeOfx(statements: readonly Sample[], version: 1 | 2 = 1): string {
  const value = (name: string, text: string | null) =>
    text === null ? '' : `<${name}>${escaped(text)}${version === 2 ? `</${name}>` : ''}\n`;
  const ofxDay = (day: string | null) => day?.replaceAll('-', '') ?? null;
  const parts = statements.map((statement) => {
    const { account, currency, from, to, lines } = statement;
    const transactions = lines.map((line) =>
      tag(
        'STMTTRN',
        [
          value('TRNTYPE', line.amount.startsWith('-') ? 'DEBIT' : 'CREDIT'),
          value('DTPOSTED', ofxDay(line.date)),
          value('DTAVAIL', ofxDay(line.valueDate)),
          value('TRNAMT', line.amount),
          value('FITID', line.bankReference),
          value('CHECKNUM', line.reference),
          value('NAME', line.counterpartyName),
          value('MEMO', line.text),
        ]
          .join('')
          .replaceAll(version === 1 ? '\n' : '', ''),
      ),
    );
    const head = value('CURDEF', currency) + tag('BANKACCTFROM', value('ACCTID', account.iban ?? account.number));
    const list = `${value('DTSTART', ofxDay(from))}${value('DTEND', ofxDay(to))}${transactions.join('\n')}`;
    const balance = value('BALAMT', closingBalance(statement)) + value('DTASOF', `${ofxDay(to)}120000[+1:CET]`);
    return tag('STMTTRNRS', tag('STMTRS', head + tag('BANKTRANLIST', list) + tag('LEDGERBAL', balance)));
  });
  const header =
    version === 1
      ? 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:UTF-8\n\n'
      : '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n';
  return `${header}${tag('OFX', `\n${tag('BANKMSGSRSV1', parts.join('\n'))}`)}`;
}

/** Records of 80 characters; the account is the CCC in the IBAN. */
export function writeNorma43(statements: readonly Sample[], end = '\r\n'): string {
  const records: string[] = [];
  for (const statement of statements) {
    const { account, from, to, opening, lines } = statement;
    const iban = account.iban ?? '';
    const key = iban.slice(4, 12) + iban.slice(14);
    records.push(`11${key}${short(from)}${short(to)}${signed(opening)}9783${'EMPRESA'.padEnd(26)}`);
    for (const { date, valueDate, amount, reference, text } of lines) {
      const dates = short(date) + short(valueDate ?? date);
      const references = `${'0'.repeat(10)}${''.padEnd(12)}${(reference ?? '').padEnd(16)}`;
      records.push(`22    0418${dates}04007${signed(amount)}${references}`);
      for (let at = 0; at < (text ?? '').length; at += 76)
        records.push(`23${two(at / 76 + 1)}${text?.slice(at, at + 76)}`);
    }
    const debits = lines.filter(({ amount }) => amount.startsWith('-'));
    const credits = lines.filter(({ amount }) => !amount.startsWith('-'));
    const side = (of: typeof lines) =>
      `${String(of.length).padStart(5, '0')}${cents(
        sum(of.map(({ amount }) => amount))
          .abs()
          .toFixed(),
      )}`;
    records.push(`33${key}${side(debits)}${side(credits)}${signed(closingBalance(statement))}978`);
  }
  records.push(`88${'9'.repeat(18)}${String(records.length).padStart(6, '0')}`);
  return records.map((record) => record.padEnd(80) + end).join('');
}

function short(day: string): string {
  return day.slice(2).replaceAll('-', '');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function signed(amount: Decimal): string {
  return (amount.startsWith('-') ? '1' : '2') + cents(decimal(amount).abs().toFixed(2));
}

function cents(amount: Decimal): string {
  return decimal(amount).times(100).toFixed(0).padStart(14, '0');
}
