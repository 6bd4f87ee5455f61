/** Builds pain.001 (ISO 20022): orders of credit transfers. */
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

export const TRANSFER_VERSIONS = ['03', '09'] as const;
export type TransferVersion = (typeof TRANSFER_VERSIONS)[number];

export interface CreditTransfers extends Header {
  readonly version: TransferVersion;
  readonly debtor: Party;
  /** Requested execution date, YYYY-MM-DD. */
  readonly date: string;
  /** Purpose of the whole message: SALA, salaries. */
  readonly purpose?: 'SALA';
  readonly transfers: readonly {
    readonly endToEndId: string;
    readonly amount: Decimal;
    readonly creditor: Party;
    readonly text: string;
  }[];
}

/** Builds the message; it satisfies `creditTransferRules` if the names, ids and amounts do. */
export function creditTransferMessage(order: CreditTransfers): Node {
  const { version, debtor, date, purpose, transfers, messageId } = order;
  const tag = version === '03' ? 'BIC' : 'BICFI';
  const amounts = transfers.map(({ amount }) => amount);
  const payment = node('PmtInf', [
    node('PmtInfId', messageId),
    node('PmtMtd', 'TRF'),
    ...control(amounts),
    node('PmtTpInf', [path('SvcLvl/Cd', 'SEPA'), purpose === undefined ? undefined : path('CtgyPurp/Cd', purpose)]),
    version === '03' ? node('ReqdExctnDt', date) : path('ReqdExctnDt/Dt', date),
    path('Dbtr/Nm', sepaText(debtor.name, 70)),
    path('DbtrAcct/Id/IBAN', debtor.iban),
    agent('DbtrAgt', debtor.bic, tag),
    node('ChrgBr', 'SLEV'),
    ...transfers.map(({ endToEndId, amount, creditor, text }) =>
      node('CdtTrfTxInf', [
        path('PmtId/EndToEndId', sepaId(endToEndId)),
        node('Amt', [money('InstdAmt', amount)]),
        creditor.bic === null ? undefined : agent('CdtrAgt', creditor.bic, tag),
        path('Cdtr/Nm', sepaText(creditor.name, 70)),
        path('CdtrAcct/Id/IBAN', creditor.iban),
        remittance(text),
      ]),
    ),
  ]);
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
  return node('Document', [node('CstmrCdtTrfInitn', [groupHeader(order, amounts), payment])], { xmlns });
}

export function creditTransferRules(version: TransferVersion): Rule {
  const tag = version === '03' ? 'BIC' : 'BICFI';
  const transfer = [
    nestedRules('PmtId/EndToEndId', TEXT.id),
    elementRule('Amt', [elementRule('InstdAmt', TEXT.amount, { attributes: EURO })]),
    { ...agentRule('CdtrAgt', tag), min: 0 },
    nestedRules('Cdtr/Nm', TEXT.name),
    nestedRules('CdtrAcct/Id/IBAN', TEXT.iban),
    REMITTANCE,
  ];
  const payment = elementRule('PmtInf', [
    elementRule('PmtInfId', TEXT.id),
    elementRule('PmtMtd', /^TRF$/),
    elementRule('NbOfTxs', TEXT.count),
    elementRule('CtrlSum', TEXT.sum),
    elementRule('PmtTpInf', [nestedRules('SvcLvl/Cd', /^SEPA$/), nestedRules('CtgyPurp/Cd', /^SALA$/, { min: 0 })]),
    version === '03' ? elementRule('ReqdExctnDt', TEXT.date) : nestedRules('ReqdExctnDt/Dt', TEXT.date),
    nestedRules('Dbtr/Nm', TEXT.name),
    nestedRules('DbtrAcct/Id/IBAN', TEXT.iban),
    agentRule('DbtrAgt', tag),
    elementRule('ChrgBr', /^SLEV$/),
    elementRule('CdtTrfTxInf', transfer, { max: Number.POSITIVE_INFINITY }),
  ]);
  const attributes = { xmlns: new RegExp(`^urn:iso:std:iso:20022:tech:xsd:pain\\.001\\.001\\.${version}$`) };
  return elementRule('Document', [elementRule('CstmrCdtTrfInitn', [GROUP_HEADER, payment])], { attributes });
}
