/** Reads pain.002 (ISO 20022), by which the bank says what it has rejected or returned of an order. */
import { badStatement, tidy } from '../bank/statement.ts';
import { type Element, ElementReader, find, textAt } from '../bank/xml.ts';
import { isDay } from '../days.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.\d\d$/;
const REJECTED = 'RJCT';

export interface RejectedPayment {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly endToEndId: string;
  /** As an ISO 20022 code: AM04 for insufficient funds. */
  readonly reason: string | null;
}

export interface StatusReport {
  /** When the bank wrote it. */
  readonly date: string;
  readonly rejected: readonly RejectedPayment[];
  /** The message, where the bank rejects all of it. */
  readonly whole: { readonly line: number; readonly messageId: string; readonly reason: string | null } | null;
}

/** @throws BadStatement not_a_report, missing_element, invalid_xml, … */
export function readStatusReport(text: string): StatusReport {
  const rejected: RejectedPayment[] = [];
  let [date, whole]: [string | null, StatusReport['whole']] = [null, null];
  const group: Element[] = [];
  const xml = new ElementReader(4, {
    open(path, namespace, line) {
      if (path.length === 1 && !NAMESPACE.test(namespace)) {
        throw badStatement('not_a_report', 'is not a status report (pain.002)', line);
      }
    },
    element(parents, element) {
      const parent = parents.at(-1);
      if (parent === 'GrpHdr' && element.name === 'CreDtTm') date = element.text.trim().slice(0, 10);
      if (parent === 'OrgnlGrpInfAndSts') group.push(element);
      if (parent !== 'OrgnlPmtInfAndSts' || element.name !== 'TxInfAndSts') return;
      if (textAt(element, 'TxSts') === REJECTED) rejected.push(rejectedOf(element));
    },
  });
  xml.push(text);
  xml.end();
  if (date === null || !isDay(date)) throw badStatement('missing_element', 'has no date', 1, 'CreDtTm');
  const of = (name: string) => group.find((element) => element.name === name);
  const messageId = of('OrgnlMsgId');
  if (of('GrpSts')?.text.trim() === REJECTED && messageId !== undefined && rejected.length === 0) {
    whole = { line: messageId.line, messageId: messageId.text.trim(), reason: reasonOf(of('StsRsnInf')) };
  }
  return { date, rejected, whole };
}

function rejectedOf(element: Element): RejectedPayment {
  const endToEndId = tidy(textAt(element, 'OrgnlEndToEndId'));
  if (endToEndId === null) {
    throw badStatement('missing_element', 'does not say of which payment it is', element.line, 'OrgnlEndToEndId');
  }
  return { line: element.line, endToEndId, reason: reasonOf(find(element, 'StsRsnInf')) };
}

function reasonOf(information: Element | undefined): string | null {
  return tidy(textAt(information, 'Rsn/Cd', 'Rsn/Prtry'));
}
