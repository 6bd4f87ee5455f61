/** Error codes of each document step, by its effect on stock and bases. */

import type { ErrorCode } from '../../../domain/errors.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';

type Step = 'create' | 'update' | 'post' | 'cancel' | 'close' | 'send' | 'delete' | 'follow' | 'duplicate' | 'lock';

const MOVING: readonly ErrorCode[] = ['insufficient_stock', 'batch_expired'];
const TAKING: readonly ErrorCode[] = [
  'invalid_transition',
  'nothing_open',
  'over_ordering',
  'over_delivery',
  'over_invoicing',
];

/** The error codes of one step, in addition to those of every route. */
export function stepProblems(docType: DocType, step: Step): readonly ErrorCode[] {
  const { kind, side } = DOCUMENT_TYPES[docType];
  const owing: readonly ErrorCode[] = side === 'sales' ? ['credit_limit'] : docType === 'PO' ? ['budget_exceeded'] : [];
  const moving = kind === 'order' || kind === 'quotation' ? [] : MOVING;
  const codes: Record<Step, readonly ErrorCode[]> = {
    create: ['period_closed', 'duplicate', ...owing, ...(kind === 'quotation' ? [] : TAKING), ...moving],
    update: ['document_locked', 'period_closed', 'duplicate', 'in_use', ...owing, ...TAKING, ...moving],
    post: [
      'period_closed',
      'duplicate',
      ...(side === 'purchase' ? (['in_use', 'budget_exceeded'] as const) : []),
      ...owing,
      ...TAKING,
      ...moving,
    ],
    cancel: [
      'document_locked',
      'confirmation_required',
      'period_closed',
      'invalid_transition',
      'in_use',
      'has_payments',
      ...moving,
    ],
    close: ['document_locked', 'invalid_transition'],
    send: ['invalid_transition'],
    delete: [
      'document_locked',
      'period_closed',
      'invalid_transition',
      'in_use',
      'not_last_of_series',
      'has_payments',
      ...moving,
    ],
    lock: ['invalid_transition'],
    follow: ['period_closed', 'duplicate', ...owing, ...TAKING, ...MOVING],
    duplicate: ['period_closed', 'invalid_transition', ...owing, ...moving],
  };
  return codes[step];
}
