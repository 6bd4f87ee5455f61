/** Builds pain.008 (ISO 20022): orders of direct debits based on signed mandates. */
import type { Decimal } from '../../money.ts';
import { type Node, node, path } from '../../xml.ts';
import {
  agent,
  agentRule,
  control,
  EURO,
  GROUP_HEADER,
  groupHeader,
  type Header,
  money,
  type Party,
  REMITTANCE,
  remittance,
} from './parts.ts';
import { elementRule, nestedRules, type Rule, TEXT } from './rules.ts';
import { sepaId, sepaText } from './text.ts';

export const DEBIT_VERSIONS = ['02', '08'] as const;
export type DebitVersion = (typeof DEBIT_VERSIONS)[number];
/** CORE: for all debtors; B2B: between companies, which cannot return a debit. */
export const DEBIT_SCHEMES = ['CORE', 'B2B'] as const;
export type DebitScheme = (typeof DEBIT_SCHEMES)[number];
/** First, recurrent and final debit of a mandate, or its only one. */
export const DEBIT_SEQUENCES = ['FRST', 'RCUR', 'FNAL', 'OOFF'] as const;
export type DebitSequence = (typeof DEBIT_SEQUENCES)[number];

export interface Debit {
  readonly endToEndId: string;
  readonly amount: Decimal;
  readonly debtor: Party;
  readonly text: string;
  readonly scheme: DebitScheme;
  readonly sequence: DebitSequence;
  readonly mandate: { readonly id: string; readonly signedOn: string };
}

export interface DirectDebits extends Header {
  readonly version: DebitVersion;
  readonly creditor: Party;
  /** As returned by `creditorId`. */
  readonly creditorId: string;
  /** Due date, YYYY-MM-DD. */
  readonly date: string;
  readonly debits: readonly Debit[];
}

/** Groups debits by scheme and sequence; banks book each batch as one sum. */
export function debitBatches<D extends Pick<Debit, 'scheme' | 'sequence'>>(debits: readonly D[]): D[][] {
  const groups = new Map<string, D[]>();
  for (const debit of debits) {
    const key = `${debit.scheme}-${debit.sequence}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [debit]);
    else group.push(debit);
  }
  return [...groups.values()];
}

/** Builds the message, with debits grouped in batches as SEPA requires. */
export function directDebitMessage(order: DirectDebits): Node {
  const payments = debitBatches(order.debits).map((batch, index) => paymentNode(order, batch, index + 1));
  const amounts = order.debits.map(({ amount }) => amount);
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:pain.008.001.${order.version}`;
  return node('Document', [node('CstmrDrctDbtInitn', [groupHeader(order, amounts), ...payments])], { xmlns });
}

function paymentNode(
  { version, creditor, creditorId, date, messageId }: DirectDebits,
  debits: readonly Debit[],
  number: number,
): Node {
  const [{ scheme, sequence }] = debits as [Debit];
  const tag = version === '02' ? 'BIC' : 'BICFI';
  return node('PmtInf', [
    node('PmtInfId', `${messageId.slice(0, 32)}-${number}`),
    node('PmtMtd', 'DD'),
    ...control(debits.map(({ amount }) => amount)),
    node('PmtTpInf', [path('SvcLvl/Cd', 'SEPA'), path('LclInstrm/Cd', scheme), node('SeqTp', sequence)]),
    node('ReqdColltnDt', date),
    path('Cdtr/Nm', sepaText(creditor.name, 70)),
    path('CdtrAcct/Id/IBAN', creditor.iban),
    agent('CdtrAgt', creditor.bic, tag),
    node('ChrgBr', 'SLEV'),
    path('CdtrSchmeId/Id/PrvtId/Othr', [node('Id', creditorId), path('SchmeNm/Prtry', 'SEPA')]),
    ...debits.map(({ endToEndId, amount, mandate, debtor, text }) =>
      node('DrctDbtTxInf', [
        path('PmtId/EndToEndId', sepaId(endToEndId)),
        money('InstdAmt', amount),
        path('DrctDbtTx/MndtRltdInf', [node('MndtId', sepaId(mandate.id)), node('DtOfSgntr', mandate.signedOn)]),
        agent('DbtrAgt', debtor.bic, tag),
        path('Dbtr/Nm', sepaText(debtor.name, 70)),
        path('DbtrAcct/Id/IBAN', debtor.iban),
        remittance(text),
      ]),
    ),
  ]);
}

export function directDebitRules(version: DebitVersion): Rule {
  const tag = version === '02' ? 'BIC' : 'BICFI';
  const debit = [
    nestedRules('PmtId/EndToEndId', TEXT.id),
    elementRule('InstdAmt', TEXT.amount, { attributes: EURO }),
    nestedRules('DrctDbtTx/MndtRltdInf', [elementRule('MndtId', TEXT.id), elementRule('DtOfSgntr', TEXT.date)]),
    agentRule('DbtrAgt', tag),
    nestedRules('Dbtr/Nm', TEXT.name),
    nestedRules('DbtrAcct/Id/IBAN', TEXT.iban),
    REMITTANCE,
  ];
  const payment = [
    elementRule('PmtInfId', TEXT.id),
    elementRule('PmtMtd', /^DD$/),
    elementRule('NbOfTxs', TEXT.count),
    elementRule('CtrlSum', TEXT.sum),
    elementRule('PmtTpInf', [
      nestedRules('SvcLvl/Cd', /^SEPA$/),
      nestedRules('LclInstrm/Cd', /^(CORE|B2B)$/),
      elementRule('SeqTp', /^(FRST|RCUR|FNAL|OOFF)$/),
    ]),
    elementRule('ReqdColltnDt', TEXT.date),
    nestedRules('Cdtr/Nm', TEXT.name),
    nestedRules('CdtrAcct/Id/IBAN', TEXT.iban),
    agentRule('CdtrAgt', tag),
    elementRule('ChrgBr', /^SLEV$/),
    nestedRules('CdtrSchmeId/Id/PrvtId/Othr', [
      elementRule('Id', TEXT.creditor),
      nestedRules('SchmeNm/Prtry', /^SEPA$/),
    ]),
    elementRule('DrctDbtTxInf', debit, { max: Number.POSITIVE_INFINITY }),
  ];
  const attributes = { xmlns: new RegExp(`^urn:iso:std:iso:20022:tech:xsd:pain\\.008\\.001\\.${version}$`) };
  const all = [GROUP_HEADER, elementRule('PmtInf', payment, { max: Number.POSITIVE_INFINITY })];
  return elementRule('Document', [elementRule('CstmrDrctDbtInitn', all)], { attributes });
}
