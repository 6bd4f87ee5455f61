/** Reads entries of a camt.053: one line each, or one for each transaction that the bank booked together. */
import { isDay } from '../../days.ts';
import { normalizeIban } from '../../identifiers.ts';
import { type Exact, parseDecimal, sum } from '../../money.ts';
import { assertLineLimit, badStatement, type StatementLine, tidy } from './statement.ts';
import { all, type Element, find, textAt } from './xml.ts';

/** The placeholder for a missing reference. */
const NOT_PROVIDED = /^not\s?provided$/i;

/**
 * Reads the lines of an entry and their sum.
 * @param currency of the account
 * @param own the account's IBAN, which is not a counterparty
 * @throws BadStatement invalid_amount, other_currency, invalid_date, missing_element
 */
export function entryLines(
  entry: Element,
  currency: string | null,
  own: string | null,
): { amount: Exact; lines: StatementLine[] } {
  const amount = signedAmount(entry, currency);
  const reversal = textAt(entry, 'RvslInd') === 'true' || textAt(entry, 'RvslInd') === '1';
  const valueDate = dayAt(entry, 'ValDt/Dt', 'ValDt/DtTm');
  const date = dayAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm') ?? valueDate;
  if (date === null) throw badStatement('missing_element', 'the entry has no date', entry.line, 'BookgDt');
  const shared = {
    date,
    valueDate,
    reversal,
    bankReference: tidy(textAt(entry, 'AcctSvcrRef', 'NtryRef')),
  };
  const details = all(entry, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'));
  const line = (detail: Element | undefined, of: Exact) => {
    return {
      line: (detail ?? entry).line,
      amount: of.toFixed(),
      ...shared,
      ...describe(entry, detail, of, reversal, own),
    };
  };
  const amounts = details.length > 1 ? details.map((detail) => detailAmount(detail, entry, currency)) : [];
  // Details without amounts, in other currencies or before charges do not add up to the entry, which then stays one
  // line.
  const split = amounts.length > 0 && amounts.every((one) => one !== null) && sum(amounts).eq(amount);
  if (!split) return { amount, lines: [line(details.length === 1 ? details[0] : undefined, amount)] };
  assertLineLimit(details.length, entry.line);
  const lines = details.map((detail, index) => {
    const one = line(detail, amounts[index] as Exact);
    const bankReference = tidy(textAt(detail, 'Refs/AcctSvcrRef', 'Refs/TxId')) ?? shared.bankReference;
    return { ...one, bankReference };
  });
  return { amount, lines };
}

/**
 * Reads the amount (`Amt`) of an element, negative for a debit.
 * @throws BadStatement invalid_amount, other_currency, missing_element
 */
export function signedAmount(element: Element, currency: string | null): Exact {
  const amount = find(element, 'Amt');
  if (amount === undefined) throw badStatement('missing_element', 'has no amount', element.line, 'Amt');
  const given = amount.attributes.Ccy ?? currency;
  if (currency !== null && given !== currency) {
    const message = `is in ${String(given).slice(0, 3)}, but the account is in ${currency.slice(0, 3)}`;
    throw badStatement('other_currency', message, amount.line, 'Amt');
  }
  return signed(readAmount(amount), readSide(element));
}

function detailAmount(detail: Element, entry: Element, currency: string | null): Exact | null {
  const amount = find(detail, 'Amt') ?? find(detail, 'AmtDtls/TxAmt/Amt');
  if (amount === undefined || (amount.attributes.Ccy ?? currency) !== currency) return null;
  return signed(readAmount(amount), find(detail, 'CdtDbtInd') === undefined ? readSide(entry) : readSide(detail));
}

function readAmount({ text, line }: Element): Exact {
  const digits = text.trim();
  const [, whole = '', places = ''] = /^\+?(\d{1,18})(?:\.(\d{0,17}))?$/.exec(digits) ?? [];
  const exact = places.replace(/0+$/, '');
  if (whole.replace(/^0+/, '').length <= 13 && whole !== '' && exact.length <= 2)
    return parseDecimal(`${whole}.${exact || '0'}`);
  throw badStatement('invalid_amount', `${digits.slice(0, 30)} is not an amount with up to two decimals`, line, 'Amt');
}

function readSide(element: Element): 'CRDT' | 'DBIT' {
  const side = textAt(element, 'CdtDbtInd');
  if (side === 'CRDT' || side === 'DBIT') return side;
  throw badStatement(
    'missing_element',
    'must say whether it is a credit (CRDT) or debit (DBIT)',
    element.line,
    'CdtDbtInd',
  );
}

function signed(amount: Exact, side: 'CRDT' | 'DBIT'): Exact {
  return side === 'DBIT' && !amount.eq(0) ? amount.times(-1) : amount;
}

/** Reads counterparty, references and text. In a reversal of an earlier entry, the parties keep their roles. */
function describe(entry: Element, detail: Element | undefined, amount: Exact, reversal: boolean, own: string | null) {
  const returnReason = tidy(textAt(detail, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry'));
  const incoming = amount.gte(0) !== (reversal || returnReason !== null);
  const sides = incoming ? (['Dbtr', 'Cdtr'] as const) : (['Cdtr', 'Dbtr'] as const);
  const parties = find(detail, 'RltdPties');
  const [side, other] = sides.map((role) => readParty(parties, role, own));
  const party = side ?? other;
  const remittance = find(detail, 'RmtInf');
  // A batch booked as one sum is identified by its order.
  const ordered = textAt(entry, 'NtryDtls/Btch/PmtInfId', 'NtryDtls/Btch/MsgId');
  const structured = textAt(remittance, 'Strd/CdtrRefInf/Ref') ?? (detail === undefined ? ordered : null);
  const texts = [
    ...all(remittance, 'Ustrd').map(({ text }) => text),
    textAt(detail, 'AddtlTxInf'),
    ...(remittance === undefined ? [textAt(entry, 'AddtlNtryInf')] : []),
  ];
  const endToEndId = tidy(textAt(detail, 'Refs/EndToEndId'));
  return {
    ...(returnReason === null ? {} : { returnReason, reversal: true }),
    reference: tidy(structured),
    counterpartyName: party?.name ?? null,
    counterpartyIban: party?.iban ?? null,
    text: tidy(texts.filter((text) => text !== null).join(' '), 'text'),
    endToEndId: endToEndId !== null && NOT_PROVIDED.test(endToEndId) ? null : endToEndId,
  };
}

function readParty(parties: Element | undefined, role: 'Dbtr' | 'Cdtr', own: string | null) {
  // From version .08 on, the party is one level deeper.
  const name = tidy(textAt(parties, `${role}/Nm`, `${role}/Pty/Nm`));
  const iban = normalizeIban((textAt(parties, `${role}Acct/Id/IBAN`) ?? '').slice(0, 50));
  if ((name === null && iban === null) || (own !== null && iban === own)) return null;
  return { name, iban };
}

/** Reads the date of an element on one of the paths, given as a date or a time. @throws BadStatement invalid_date */
export function dayAt(element: Element, ...paths: readonly string[]): string | null {
  const text = textAt(element, ...paths);
  if (text === null) return null;
  const day = text.slice(0, 10);
  if (isDay(day) && /^(T|Z|[+-]|$)/.test(text.slice(10))) return day;
  throw badStatement('invalid_date', `${text.slice(0, 30)} is not an existing date`, element.line, paths[0]);
}
