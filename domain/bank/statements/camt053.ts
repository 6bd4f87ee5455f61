/** Reads camt.053 (ISO 20022), the daily statement in XML; versions from .02 on, which differ in few elements. */
import { normalizeIban } from '../../identifiers.ts';
import { type Decimal, decimal, parseDecimal } from '../../money.ts';
import { dayAt, entryLines, signedAmount } from './camt-entry.ts';
import {
  assertLineLimit,
  type BankStatement,
  badStatement,
  type ReadFile,
  type StatementAccount,
  type StatementLine,
  type StatementReader,
  tidy,
} from './statement.ts';
import { type Element, ElementReader, find, textAt } from './xml.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt\.053\.001\.\d\d)$/;
const STATEMENT = 'Document/BkToCstmrStmt/Stmt';
/** Opening balance codes in order of preference: of the day, of the day before, of a page. */
const OPENING = ['OPBD', 'PRCD', 'ITBD'] as const;
const CLOSING = ['CLBD', 'ITBD'] as const;

/** A statement being read. */
interface Unfinished {
  readonly line: number;
  readonly balances: Element[];
  readonly lines: StatementLine[];
  account: StatementAccount | undefined;
  currency: string | null;
  reference: string | null;
  period: { from: string | null; to: string | null };
  summary: Element | undefined;
  entries: number;
  /** Whether all entries are booked and included in the balances. */
  allBooked: boolean;
  total: ReturnType<typeof decimal>;
}

export class Camt053Reader implements StatementReader {
  readonly #statements: BankStatement[] = [];
  #current: Unfinished | undefined;
  #lines = 0;
  readonly #xml = new ElementReader(4, {
    open: (path, namespace, line) => this.#opened(path, namespace, line),
    close: (path) => {
      if (path.join('/') === STATEMENT) this.#finish();
    },
    element: (_, element) => this.#read(element),
  });

  /** @throws BadStatement */
  push(text: string): void {
    this.#xml.push(text);
  }

  /** @throws BadStatement */
  end(): ReadFile {
    this.#xml.end();
    if (this.#statements.length === 0) throw badStatement('no_statement', 'must contain a statement (Stmt)');
    return { statements: this.#statements, warnings: [] };
  }

  #opened(path: readonly string[], namespace: string, line: number): void {
    if (path.length === 1 && !NAMESPACE.test(namespace)) {
      const given = namespace.split(':').at(-1)?.slice(0, 40) || 'is not an ISO 20022 message';
      throw badStatement('unsupported_message', `is ${given}; statements must be camt.053`, line, path[0]);
    }
    if (path.join('/') !== STATEMENT) return;
    this.#current = {
      line,
      balances: [],
      lines: [],
      account: undefined,
      currency: null,
      reference: null,
      period: { from: null, to: null },
      summary: undefined,
      entries: 0,
      allBooked: true,
      total: decimal(0),
    };
  }

  #read(element: Element): void {
    const current = this.#current;
    if (current === undefined) return;
    switch (element.name) {
      case 'Id':
        current.reference = tidy(element.text);
        break;
      case 'FrToDt':
        current.period = { from: dayAt(element, 'FrDtTm', 'FrDt'), to: dayAt(element, 'ToDtTm', 'ToDt') };
        break;
      case 'Acct':
        current.account = readAccount(element);
        current.currency = textAt(element, 'Ccy');
        break;
      case 'Bal':
        current.balances.push(element);
        break;
      case 'TxsSummry':
        current.summary = element;
        break;
      case 'Ntry':
        this.#entry(current, element);
    }
  }

  #entry(current: Unfinished, element: Element): void {
    current.entries++;
    // Pending and informational entries are not part of the balances.
    if ((textAt(element, 'Sts/Cd', 'Sts') ?? 'BOOK') !== 'BOOK') {
      current.allBooked = false;
      return;
    }
    current.currency ??= find(element, 'Amt')?.attributes.Ccy ?? null;
    const { amount, lines } = entryLines(element, current.currency, current.account?.iban ?? null);
    current.total = current.total.plus(amount);
    current.lines.push(...lines);
    this.#lines += lines.length;
    assertLineLimit(this.#lines, element.line);
  }

  #finish(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    const { line, account, reference, period, lines, total } = current;
    if (account === undefined) throw badStatement('missing_element', 'the statement names no account', line, 'Acct');
    const opening = readBalance(current, OPENING, 'first');
    const closing = readBalance(current, CLOSING, 'last');
    const expected = decimal(opening.amount).plus(total);
    if (!expected.eq(closing.amount)) {
      const words = `the opening balance ${opening.amount} and the entries ${total.toFixed()} add up to ${expected.toFixed()}`;
      throw badStatement('balance_mismatch', `${words}, not the closing balance ${closing.amount}`, line, 'Bal');
    }
    checkSummary(current);
    const days = lines.map(({ date }) => date).sort();
    const from = period.from ?? days[0] ?? opening.day ?? closing.day;
    const to = period.to ?? closing.day ?? days.at(-1) ?? from;
    if (from === null || to === null)
      throw badStatement('missing_element', 'the statement has no date', line, 'FrToDt');
    this.#statements.push({
      account,
      currency: current.currency,
      reference,
      from: [from, to].sort()[0] as string,
      to,
      opening: opening.amount,
      closing: closing.amount,
      lines,
    });
  }
}

function readAccount(element: Element): StatementAccount {
  const given = textAt(element, 'Id/IBAN');
  const iban = given === null ? null : normalizeIban(given);
  if (given !== null && iban === null) {
    throw badStatement(
      'invalid_iban',
      `${given.slice(0, 40)} is not a valid IBAN: its check digits or length are wrong`,
      element.line,
      'IBAN',
    );
  }
  const number = tidy(textAt(element, 'Id/Othr/Id'));
  if (iban === null && number === null) {
    throw badStatement('missing_element', 'the account has neither IBAN nor number', element.line, 'Acct');
  }
  return { iban, number };
}

function readBalance(
  { balances, currency, line }: Unfinished,
  codes: readonly string[],
  which: 'first' | 'last',
): { amount: Decimal; day: string | null } {
  for (const code of codes) {
    const found = balances.filter((one) => textAt(one, 'Tp/CdOrPrtry/Cd') === code);
    const balance = which === 'first' ? found[0] : found.at(-1);
    if (balance === undefined) continue;
    return { amount: signedAmount(balance, currency).toFixed(), day: dayAt(balance, 'Dt/Dt', 'Dt/DtTm') };
  }
  throw badStatement('missing_balance', `the statement has no balance ${codes[0]}`, line, 'Bal');
}

/** Checks the bank's own totals. */
function checkSummary({ summary, entries, allBooked, total }: Unfinished): void {
  const count = textAt(summary, 'TtlNtries/NbOfNtries');
  if (count !== null && Number(count) !== entries) {
    const message = `says ${count.slice(0, 20)} entries, but the statement has ${entries}`;
    throw badStatement('control_count', message, find(summary, 'TtlNtries')?.line, 'NbOfNtries');
  }
  const net = find(summary, 'TtlNtries/TtlNetNtry') ?? find(summary, 'TtlNtries');
  const amount = textAt(net, 'Amt', 'TtlNetNtryAmt');
  const side = textAt(net, 'CdtDbtInd');
  if (amount === null || side === null || !allBooked) return;
  const said = /^\d{1,17}(\.\d{1,5})?$/.test(amount) ? parseDecimal(side === 'DBIT' ? `-${amount}` : amount) : null;
  if (said === null || !said.eq(total)) {
    const message = `says ${amount.slice(0, 20)} ${side.slice(0, 4)}, but the entries add up to ${total.toFixed()}`;
    throw badStatement('control_sum', message, net?.line, 'TtlNetNtryAmt');
  }
}
