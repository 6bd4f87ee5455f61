/** Reads OFX (also QFX), the format of finance programs: versions 1 (SGML) and 2 (XML), of bank and card accounts. */
import { isDay } from '../../days.ts';
import { normalizeIban } from '../../identifiers.ts';
import { type Decimal, parseDecimal } from '../../money.ts';
import { cccToIban } from './ccc.ts';
import { SgmlReader } from './sgml.ts';
import {
  assertLineLimit,
  type BankStatement,
  badStatement,
  type ReadFile,
  type StatementAccount,
  type StatementLine,
  type StatementReader,
  tidy,
  Warnings,
} from './statement.ts';
import { type Element, find, textAt } from './xml.ts';

const STATEMENTS = ['STMTRS', 'CCSTMTRS'];
const TRANSACTION = 'STMTTRN';

export class OfxReader implements StatementReader {
  readonly #statements: BankStatement[] = [];
  readonly #warnings = new Warnings();
  readonly #sgml = new SgmlReader((element) => this.#take(element));
  /** Transactions of the current statement, whose account and currency may follow them. */
  #transactions: { readonly line: StatementLine; readonly currency: string | null }[] = [];
  #count = 0;

  /** @throws BadStatement */
  push(text: string): void {
    this.#sgml.push(text);
  }

  /** @throws BadStatement */
  end(): ReadFile {
    this.#sgml.end();
    if (this.#statements.length === 0) throw badStatement('no_statement', 'must contain a statement (STMTRS)');
    return { statements: this.#statements, warnings: this.#warnings.list };
  }

  #take(element: Element): boolean {
    if (element.name === TRANSACTION) {
      assertLineLimit(++this.#count, element.line);
      this.#transactions.push({ line: readLine(element), currency: textAt(element, 'CURRENCY/CURSYM') });
      return true;
    }
    if (STATEMENTS.includes(element.name)) {
      this.#statements.push(this.#toStatement(element));
      this.#transactions = [];
      return true;
    }
    if (element.name !== 'INVSTMTRS') return false;
    this.#transactions = [];
    const words = 'is a statement of investments, which was left out';
    this.#warnings.add('unsupported_statement', words, element.line, element.name);
    return true;
  }

  #toStatement(element: Element): BankStatement {
    const currency = readCurrency(element);
    for (const { line, currency: own } of this.#transactions) {
      if (own === null || own.toUpperCase() === currency) continue;
      const message = `is in ${own.slice(0, 3)}, but the account is in ${currency ?? 'no currency'}`;
      throw badStatement('other_currency', message, line.line, 'CURSYM');
    }
    const lines = this.#transactions.map(({ line }) => line);
    const days = lines.map(({ date }) => date).sort();
    const list = find(element, 'BANKTRANLIST');
    const balance = find(element, 'LEDGERBAL');
    const balanceDay = dayAt(balance, 'DTASOF');
    const from = dayAt(list, 'DTSTART') ?? days[0] ?? balanceDay;
    const to = dayAt(list, 'DTEND') ?? days.at(-1) ?? balanceDay;
    if (from === null || to === null) throw missing(element, 'DTSTART', 'the statement has no date');
    const closing = find(balance, 'BALAMT');
    return {
      account: readAccount(element),
      currency,
      reference: null,
      from: [from, to].sort()[0] as string,
      to,
      // OFX has no opening balance, and a balance of another day is not the closing one.
      opening: null,
      closing: closing === undefined || balanceDay === null || balanceDay > to ? null : amountIn(closing),
      lines,
    };
  }
}

function readAccount(element: Element): StatementAccount {
  const account = find(element, 'BANKACCTFROM') ?? find(element, 'CCACCTFROM');
  const given = textAt(account, 'ACCTID');
  if (given === null) throw missing(element, 'ACCTID', 'the statement names no account');
  const digits = given.slice(0, 50).replaceAll(/[ .-]/g, '');
  const [bank, branch] = [textAt(account, 'BANKID') ?? '', textAt(account, 'BRANCHID') ?? ''];
  const [, ofBank, ofBranch, own] = /^(\d{4})(\d{4})\d\d(\d{10})$/.exec(digits) ?? [];
  const ccc = ofBank && ofBranch && own ? cccToIban(ofBank, ofBranch, own) : null;
  const parts = /^\d{4} \d{4} \d{10}$/.test(`${bank} ${branch} ${digits}`) ? cccToIban(bank, branch, digits) : null;
  const iban = normalizeIban(digits) ?? (ccc?.endsWith(digits) ? ccc : parts);
  return { iban, number: iban === null ? tidy(given) : null };
}

function readCurrency(element: Element): string | null {
  const given = textAt(element, 'CURDEF');
  if (given === null || /^[A-Z]{3}$/i.test(given)) return given?.toUpperCase() ?? null;
  throw badStatement('unknown_currency', `${given.slice(0, 20)} is not a currency code`, element.line, 'CURDEF');
}

function readLine(element: Element): StatementLine {
  const date = dayAt(element, 'DTPOSTED');
  if (date === null) throw missing(element, 'DTPOSTED', 'the transaction has no date');
  const amount = find(element, 'TRNAMT');
  if (amount === undefined) throw missing(element, 'TRNAMT', 'the transaction has no amount');
  const name = tidy(textAt(element, 'NAME', 'PAYEE/NAME'));
  return {
    line: element.line,
    date,
    valueDate: dayAt(element, 'DTAVAIL'),
    amount: amountIn(amount),
    reference: tidy(textAt(element, 'CHECKNUM', 'REFNUM')),
    bankReference: tidy(textAt(element, 'FITID')),
    counterpartyName: name,
    counterpartyIban: normalizeIban((textAt(element, 'BANKACCTTO/ACCTID') ?? '').slice(0, 50)),
    text: tidy(textAt(element, 'MEMO'), 'text') ?? name,
    endToEndId: null,
    reversal: false,
  };
}

/** Parses an amount with a point or a comma; both are allowed. */
function amountIn({ text, line, name }: Element): Decimal {
  const [, sign = '', whole = '', places = ''] = /^([+-]?)(\d{1,13})(?:[.,](\d{0,17}))?$/.exec(text.trim()) ?? [];
  const exact = places.replace(/0+$/, '');
  if (whole === '' || exact.length > 2) {
    throw badStatement(
      'invalid_amount',
      `${text.trim().slice(0, 30)} is not an amount with up to two decimals`,
      line,
      name,
    );
  }
  const value = parseDecimal(`${whole}.${exact || '0'}`);
  return (sign === '-' && !value.eq(0) ? value.times(-1) : value).toFixed();
}

/** Reads a date: YYYYMMDD, with or without a time and its zone. @throws BadStatement invalid_date */
function dayAt(element: Element | undefined, name: string): string | null {
  const given = textAt(element, name);
  if (given === null || element === undefined) return null;
  const day = `${given.slice(0, 4)}-${given.slice(4, 6)}-${given.slice(6, 8)}`;
  if (/^\d{8}(\d{2,6}|$)/.test(given) && isDay(day)) return day;
  throw badStatement('invalid_date', `${given.slice(0, 30)} is not an existing date`, element.line, name);
}

function missing({ line }: Element, name: string, message: string): Error {
  return badStatement('missing_element', message, line, name);
}
