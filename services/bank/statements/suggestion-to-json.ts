/** The representation of suggestions for clients. */
import type { Suggestion } from '../../../domain/bank/statements/suggestion.ts';
import { toNumber } from '../../../domain/money.ts';
import { debtName, OPEN_ITEM } from '../../../domain/trade/payments/types.ts';

export function suggestionToJson(suggestion: Suggestion) {
  const { payment, returned, invoices, instalment, order, rule, partner, score, reasons } = suggestion;
  return {
    score,
    reason: reasons.join('; '),
    partner_id: partner?.id ?? null,
    partner_name: partner?.name ?? null,
    payment_id: payment?.id ?? null,
    return_of: returned?.id ?? null,
    documents: invoices.map(({ id, docType, isItem, code, outstanding }) => ({
      document_type: debtName(isItem ? OPEN_ITEM : docType),
      document_id: id,
      document_code: code,
      instalment,
      outstanding: toNumber(outstanding),
    })),
    order: order === null ? null : orderToJson(order),
    rule: rule === null ? null : ruleToJson(rule),
  };
}

function ruleToJson({ id, name, accountId, accountCode, taxGroupId }: NonNullable<Suggestion['rule']>) {
  return { rule_id: id, name, account_id: accountId, account_code: accountCode, tax_group_id: taxGroupId };
}

function orderToJson({ id, batch, kind, messageId, date, count, total, items }: NonNullable<Suggestion['order']>) {
  return {
    order_id: id,
    batch,
    kind,
    message_id: messageId,
    date,
    count,
    total: toNumber(total),
    items: items.map(({ paymentId, documentId, documentCode, partnerName, amount }) => ({
      payment_id: paymentId,
      document_id: documentId,
      document_code: documentCode,
      partner_name: partnerName,
      amount: toNumber(amount),
    })),
  };
}
