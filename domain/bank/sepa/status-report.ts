/** Reads pain.002 (ISO 20022), the bank's report on rejected and returned orders. */

import { isDay } from '../../days.ts';
import { badStatement, tidy } from '../statements/statement.ts';
import { type Element, ElementReader, find, textAt } from '../statements/xml.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.\d\d$/;
const REJECTED = 'RJCT';

export interface RejectedPayment {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly endToEndId: string;
  /** ISO 20022 code, such as AM04 for insufficient funds. */
  readonly reason: string | null;
}

export interface StatusReport {
  /** Date of the report. */
  readonly date: string;
  readonly rejected: readonly RejectedPayment[];
  /** The message, if the bank rejects it as a whole. */
  readonly whole: { readonly line: number; readonly messageId: string; readonly reason: string | null } | null;
}

/** Reads a report. @throws BadStatement not_a_report, missing_element, invalid_xml, … */
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
      if (textAt(element, 'TxSts') === REJECTED) rejected.push(readRejected(element));
    },
  });
  xml.push(text);
  xml.end();
  if (date === null || !isDay(date)) throw badStatement('missing_element', 'has no date', 1, 'CreDtTm');
  const of = (name: string) => group.find((element) => element.name === name);
  const messageId = of('OrgnlMsgId');
  if (of('GrpSts')?.text.trim() === REJECTED && messageId !== undefined && rejected.length === 0) {
    whole = { line: messageId.line, messageId: messageId.text.trim(), reason: readReason(of('StsRsnInf')) };
  }
  return { date, rejected, whole };
}

function readRejected(element: Element): RejectedPayment {
  const endToEndId = tidy(textAt(element, 'OrgnlEndToEndId'));
  if (endToEndId === null) {
    throw badStatement('missing_element', 'must name the payment that it is about', element.line, 'OrgnlEndToEndId');
  }
  return { line: element.line, endToEndId, reason: readReason(find(element, 'StsRsnInf')) };
}

function readReason(information: Element | undefined): string | null {
  return tidy(textAt(information, 'Rsn/Cd', 'Rsn/Prtry'));
}
