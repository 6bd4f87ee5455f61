/** Due dates of a document: the given day, otherwise by the payment terms of the document, its base or its partner. */

import { daysAfter } from '../../../../domain/days.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import { computeInstalments, dueDate, type TermLine } from '../../../../domain/trade/payments/terms.ts';
import type { PreparedDocument } from '../prepared.ts';
import type { DocumentInput } from '../schemas.ts';
import type { PartnerReference, References, TermsReference } from './references.ts';

/**
 * Resolves the payment terms; null if a due date is given, or if the document takes back another. Adds faults with
 * pointers.
 * @param of.date from which due dates count
 */
export function resolveTerms(
  input: DocumentInput,
  {
    ofBase,
    takesBack,
    date,
  }: { readonly ofBase: TermsReference | null; readonly takesBack: boolean; readonly date: string },
  { partner, paymentTerms }: References,
  faults: Faults,
): TermsReference | null {
  const { paymentTermsId, dueDate: named } = input;
  if (named !== undefined && named < date)
    faults.add('/dueDate', 'out_of_range', 'must not be before the date of the document');
  if (paymentTermsId === undefined)
    return named !== undefined || takesBack ? null : (ofBase ?? partner?.paymentTerms ?? null);
  const terms = paymentTerms.get(paymentTermsId);
  const at = '/paymentTermsId';
  if (terms === undefined) faults.add(at, 'invalid_reference', 'refers to payment terms that do not exist');
  else if (!terms.active && terms.id !== ofBase?.id && terms.id !== partner?.paymentTerms?.id)
    faults.add(at, 'invalid_reference', 'refers to inactive payment terms');
  else if (takesBack) faults.add(at, 'not_allowed', 'is not allowed because the document takes back another');
  else if (named !== undefined && partner !== null) {
    const last = lastDueDate(date, terms.lines, partner);
    if (named !== last)
      faults.add('/dueDate', 'not_allowed', `must be left out, or be ${last} as the payment terms say`);
  }
  return terms ?? null;
}

interface DueFacts {
  readonly places: number;
  readonly partner: PartnerReference;
  readonly total: Decimal;
  /** Date from which due dates count. */
  readonly date: string;
}

/** Computes due date and terms, and the instalments of an invoice with several due dates. */
export function duePlan(
  { kind }: DocumentTypeInfo,
  { dueDate: named }: DocumentInput,
  terms: TermsReference | null,
  facts: DueFacts,
): Pick<PreparedDocument, 'dueDate' | 'paymentTermsId' | 'instalments'> {
  const { places, partner, total, date } = facts;
  if (terms === null) {
    const lines = [{ percent: null, days: partner.paymentTermDays, endOfMonth: false }];
    return { dueDate: named ?? lastDueDate(date, lines, partner), paymentTermsId: null, instalments: [] };
  }
  const last = lastDueDate(date, terms.lines, partner);
  const due =
    kind === 'invoice' && decimal(total).gt(0)
      ? computeInstalments({ date, total, places }, terms.lines, partner.paymentDays)
      : [];
  return { dueDate: due.at(-1)?.dueDate ?? last, paymentTermsId: terms.id, instalments: due.length > 1 ? due : [] };
}

/** The discount for prompt payment of an invoice and its last day; none if the document takes back another. */
export function promptDiscount(
  { kind }: DocumentTypeInfo,
  { partner, total, date, takesBack }: Omit<DueFacts, 'places'> & { readonly takesBack: boolean },
): Pick<PreparedDocument, 'promptDiscountPercent' | 'promptDiscountUntil'> {
  const { promptDiscountPercent: percent, promptDiscountDays: days } = partner;
  const offered = percent !== null && kind === 'invoice' && !takesBack && decimal(total).gt(0);
  if (!offered) return { promptDiscountPercent: null, promptDiscountUntil: null };
  return { promptDiscountPercent: percent, promptDiscountUntil: daysAfter(date, days ?? 0) };
}

/** The last due date. */
function lastDueDate(date: string, lines: readonly TermLine[], { paymentDays }: PartnerReference): string {
  const days = lines.map((line) => dueDate(date, line, paymentDays));
  return days.sort().at(-1) as string;
}
