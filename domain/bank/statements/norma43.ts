/**
 * Reads Norma 43 of the Spanish banks: records of 80 characters, identified by their first two digits. Amounts must add
 * up; wrong counts, and card accounts without a balance, are warnings (decision 0159).
 */
import { type Decimal, parseDecimal } from '../../money.ts';
import { cccToIban } from './ccc.ts';
import { Norma43Record, RECORD_LENGTH } from './norma43-record.ts';
import {
  assertLineLimit,
  type BankStatement,
  badStatement,
  type ReadFile,
  type StatementLine,
  type StatementReader,
  tidy,
  Warnings,
} from './statement.ts';

/** Maximum texts (record 23) of a movement. */
const MAX_TEXTS = 5;
/** The common concept of unpaid and returned receipts. */
const RETURNS = '14';
/** A carriage return, and the end-of-file mark of old programs. */
const ENDINGS = ['\r', '\u001a'];

interface Side {
  count: number;
  cents: bigint;
}

/** An account (record 11) whose totals (record 33) are still to come. */
interface Unfinished {
  /** Bank, branch, account and currency number, repeated in its totals. */
  readonly key: string;
  readonly currencyNumber: string;
  readonly head: Pick<BankStatement, 'account' | 'currency' | 'from' | 'to'>;
  readonly opening: bigint;
  readonly debits: Side;
  readonly credits: Side;
  readonly lines: StatementLine[];
  /** Texts of the last movement. */
  readonly texts: string[];
}

export class Norma43Reader implements StatementReader {
  readonly #statements: BankStatement[] = [];
  readonly #warnings = new Warnings();
  #current: Unfinished | undefined;
  #rest = '';
  #line = 0;
  #movements = 0;
  #records = 0;
  #ended = false;

  /** @throws BadStatement */
  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    // Limits a line without an end, which would fill the memory and be scanned repeatedly.
    if (this.#rest.length > 2 * RECORD_LENGTH) this.#read(this.#rest);
  }

  /** @throws BadStatement truncated and others */
  end(): ReadFile {
    if (this.#rest !== '') this.#read(this.#rest);
    if (this.#ended) return { statements: this.#statements, warnings: this.#warnings.list };
    throw badStatement('truncated', 'the file ends without its last record (88): a part is missing', this.#line, '88');
  }

  #read(line: string): void {
    this.#line++;
    let text = line;
    while (text.length <= RECORD_LENGTH + 2 && ENDINGS.includes(text.at(-1) ?? '')) text = text.slice(0, -1);
    if (text.length > RECORD_LENGTH) {
      throw badStatement('invalid_length', `has more than ${RECORD_LENGTH} characters`, this.#line);
    }
    if (text.trim() === '') return;
    const record = new Norma43Record(text, this.#line);
    if (this.#ended) throw record.fault('after_end', 'comes after the last record (88)');
    this.#take(record);
    this.#records++;
  }

  #take(record: Norma43Record): void {
    const { code } = record;
    if (code === '11') this.#account(record);
    else if (code === '88') this.#last(record);
    else if (!['22', '23', '24', '33'].includes(code)) {
      throw record.fault('unknown_record', 'does not begin with a record of Norma 43 (11, 22, 23, 24, 33 or 88)');
    } else if (this.#current === undefined) {
      throw record.fault('missing_record', 'is outside an account (11)');
    } else if (code === '22') this.#movement(record, this.#current);
    else if (code === '23') addText(record, this.#current);
    else if (code === '33') this.#totals(record, this.#current);
    // Record 24 is the amount in another currency; record 22 has the account's.
  }

  #account(record: Norma43Record): void {
    this.#assertClosed(record);
    const key = record.field(3, 20);
    if (!/^\d{18}$/.test(key))
      throw record.fault('invalid_number', 'must have bank, branch and account with 18 digits');
    const [from, to] = [record.day(21), record.day(27)];
    if (from > to) throw record.fault('invalid_date', `its first day ${from} is after its last ${to}`);
    const iban = cccToIban(key.slice(0, 4), key.slice(4, 8), key.slice(8));
    this.#current = {
      key,
      currencyNumber: record.field(48, 50),
      head: { account: { iban, number: null }, currency: record.currency(48), from, to },
      opening: record.cents(33, 34),
      debits: { count: 0, cents: 0n },
      credits: { count: 0, cents: 0n },
      lines: [],
      texts: [],
    };
  }

  #movement(record: Norma43Record, current: Unfinished): void {
    assertLineLimit(++this.#movements, record.line);
    finishTexts(current);
    const cents = record.cents(28, 29);
    const debit = record.field(28, 28) === '1';
    const side = debit ? current.debits : current.credits;
    side.count++;
    side.cents += debit ? -cents : cents;
    const references = [record.field(53, 64), record.field(65, 80), record.field(43, 52)].map((text) => text.trim());
    current.lines.push({
      line: record.line,
      date: record.day(11),
      valueDate: record.day(17),
      amount: toDecimal(cents),
      reference: tidy(references.filter((text) => !/^0*$/.test(text)).join(' ')),
      bankReference: null,
      counterpartyName: null,
      counterpartyIban: null,
      text: null,
      endToEndId: null,
      reversal: record.field(23, 24) === RETURNS,
    });
  }

  #totals(record: Norma43Record, current: Unfinished): void {
    finishTexts(current);
    if (record.field(3, 20) !== current.key)
      throw record.fault('other_account', 'belongs to another account than record 11');
    if (record.field(74, 76) !== current.currencyNumber) {
      throw record.fault('other_currency', 'is in another currency than record 11');
    }
    this.#checkSide(record, 'debits', current.debits, 21);
    this.#checkSide(record, 'credits', current.credits, 40);
    const { head, opening, lines } = current;
    const closing = this.#closing(record, opening + current.credits.cents - current.debits.cents);
    this.#statements.push({ ...head, reference: null, opening: toDecimal(opening), closing, lines });
    this.#current = undefined;
  }

  #last(record: Norma43Record): void {
    this.#assertClosed(record);
    if (record.field(3, 20) !== '9'.repeat(18))
      throw record.fault('unknown_record', 'must have 18 nines from position 3, because it is the last record');
    const count = record.number(21, 26);
    if (count !== BigInt(this.#records)) {
      const itself = count === BigInt(this.#records + 1) ? ': it counts itself' : '';
      this.#warn(
        record,
        'control_count',
        `says ${count} records, but the file has ${this.#records} before it${itself}`,
      );
    }
    if (this.#statements.length === 0) throw record.fault('no_statement', 'ends a file without an account (11)');
    this.#ended = true;
  }

  /** Checks number (5 digits) and sum (14) of the debits or credits. */
  #checkSide(record: Norma43Record, name: string, side: Side, from: number): void {
    const count = record.number(from, from + 4);
    const cents = record.number(from + 5, from + 18);
    if (cents !== side.cents) {
      const words = `says ${toDecimal(cents)} of ${name}, but they add up to ${toDecimal(side.cents)}`;
      throw record.fault('control_sum', words);
    }
    if (count !== BigInt(side.count)) {
      this.#warn(record, 'control_count', `says ${count} ${name}, but the file has ${side.count}, whose sum is right`);
    }
  }

  /** Reads the closing balance; null for zeros that do not add up, which banks write for cards without one. */
  #closing(record: Norma43Record, expected: bigint): Decimal | null {
    const closing = record.cents(59, 60);
    if (closing === expected) return toDecimal(closing);
    const words = `opening balance and movements add up to ${toDecimal(expected)}`;
    if (closing !== 0n) {
      throw record.fault('balance_mismatch', `${words}, not the closing balance ${toDecimal(closing)}`);
    }
    this.#warn(record, 'no_balance', `${words}, but the closing balance is zeros, as of a card: it was left out`);
    return null;
  }

  #warn(record: Norma43Record, code: string, message: string): void {
    this.#warnings.add(code, message, record.line, record.code);
  }

  #assertClosed(record: Norma43Record): void {
    if (this.#current !== undefined) {
      throw record.fault('missing_record', 'comes before the totals (33) of the account above');
    }
  }
}

function addText(record: Norma43Record, { lines, texts }: Unfinished): void {
  if (lines.length === 0) throw record.fault('missing_record', 'is a text without a movement (22)');
  if (texts.length >= MAX_TEXTS) throw record.fault('too_many_texts', `is text ${MAX_TEXTS + 1} of a movement`);
  texts.push(record.field(5, RECORD_LENGTH));
}

/** Joins the texts of a movement; a word that fills the width of one continues in the next. */
function finishTexts({ lines, texts }: Unfinished): void {
  const last = lines.at(-1);
  if (last !== undefined && texts.length > 0) {
    lines[lines.length - 1] = { ...last, text: tidy(texts.splice(0).join(''), 'text') };
  }
}

function toDecimal(cents: bigint): Decimal {
  return parseDecimal(cents.toString()).div(100).toFixed();
}
