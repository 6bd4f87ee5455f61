/** Elements common to credit transfers and direct debits. */
import { type Decimal, decimal, sum } from '../../money.ts';
import { type Node, node, path } from '../../xml.ts';
import { elementRule, nestedRules, type Rule, TEXT } from './rules.ts';
import { sepaText } from './text.ts';

export interface Party {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
}

/** Header of a message. */
export interface Header {
  /** Unique for the bank; up to 35 characters. */
  readonly messageId: string;
  /** ISO 8601 without zone, in the company's local time. */
  readonly createdAt: string;
  /** The sender, with the id assigned by the bank. */
  readonly initiator: { readonly name: string; readonly id: string | null };
}

export const EURO = { Ccy: /^EUR$/ };
/** Placeholder: SEPA requires no BIC. */
const NO_BIC = 'NOTPROVIDED';

export function groupHeader({ messageId, createdAt, initiator }: Header, amounts: readonly Decimal[]): Node {
  return node('GrpHdr', [
    node('MsgId', messageId),
    node('CreDtTm', createdAt),
    ...control(amounts),
    node('InitgPty', [
      node('Nm', sepaText(initiator.name, 70)),
      initiator.id === null ? undefined : path('Id/OrgId/Othr/Id', sepaText(initiator.id, 35)),
    ]),
  ]);
}

export const GROUP_HEADER = elementRule('GrpHdr', [
  elementRule('MsgId', TEXT.id),
  elementRule('CreDtTm', TEXT.time),
  elementRule('NbOfTxs', TEXT.count),
  elementRule('CtrlSum', TEXT.sum),
  elementRule('InitgPty', [elementRule('Nm', TEXT.name), nestedRules('Id/OrgId/Othr/Id', TEXT.id, { min: 0 })]),
]);

/** Number and exact sum. */
export function control(amounts: readonly Decimal[]): Node[] {
  return [node('NbOfTxs', String(amounts.length)), node('CtrlSum', sum(amounts).toFixed(2))];
}

export function money(name: string, amount: Decimal): Node {
  return node(name, decimal(amount).toFixed(), { Ccy: 'EUR' });
}

/** Builds the bank of a party; `tag` is the BIC's element name in the version. */
export function agent(name: string, bic: string | null, tag: 'BIC' | 'BICFI'): Node {
  return path(`${name}/FinInstnId`, [bic === null ? path('Othr/Id', NO_BIC) : node(tag, bic)]);
}

export function agentRule(name: string, tag: 'BIC' | 'BICFI'): Rule {
  return nestedRules(`${name}/FinInstnId`, [
    elementRule(tag, TEXT.bic, { min: 0 }),
    nestedRules('Othr/Id', /^NOTPROVIDED$/, { min: 0 }),
  ]);
}

export function remittance(text: string): Node | undefined {
  const plain = sepaText(text, 140);
  return plain === '' ? undefined : path('RmtInf/Ustrd', plain);
}

export const REMITTANCE = nestedRules('RmtInf/Ustrd', TEXT.remittance, { min: 0 });
