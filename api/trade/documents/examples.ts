/** Examples of documents in the status after each action, for the API description. */
import { beginsAsDraft, DOCUMENT_STATUS, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { DAY, INSTANT, sampleId } from '../../openapi/vocabulary/common.ts';
import type { RouteExamples } from '../../route.ts';

type State = 'created' | 'posted' | 'cancelled' | 'closed' | 'sent' | 'locked';

const LINE = { itemId: sampleId(6), quantity: 10, price: 2.5 };

/** A minimal body for creating a document. */
export const NEW_DOCUMENT: RouteExamples['body'] = { partnerId: sampleId(2), date: DAY, lines: [LINE] };

/** Example of a document that has just reached a status. */
export function documentExample(docType: DocType, state: State): RouteExamples['answer'] & object {
  const { kind } = DOCUMENT_TYPES[docType];
  const numbered = { docType, number: 17, code: `${docType}2026-00017` };
  const draft = { docType, number: null, code: null, status: DOCUMENT_STATUS.draft, postedAt: null };
  const begun =
    kind === 'invoice'
      ? { ...numbered, status: DOCUMENT_STATUS.open, postedAt: INSTANT }
      : { ...numbered, status: DOCUMENT_STATUS.open };
  switch (state) {
    case 'created':
      return beginsAsDraft(kind) ? draft : begun;
    case 'posted':
      return begun;
    case 'cancelled':
      return {
        ...begun,
        status: DOCUMENT_STATUS.cancelled,
        cancelledAt: INSTANT,
        ...(kind === 'invoice' ? { outstanding: 0 } : {}),
      };
    case 'closed':
      return { ...begun, status: DOCUMENT_STATUS.closed, closedAt: INSTANT };
    case 'locked':
      return { ...begun, lockedAt: INSTANT };
    case 'sent':
      return begun;
  }
}
