/** Exchange rates by day, and revaluations of what is open in other currencies. */

import type { RevaluedPart } from '../../../domain/ledger/accounting/revaluation.ts';
import type { Decimal } from '../../../domain/money.ts';
import { day, exact, instant, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class ExchangeRate extends versionedTable('exchange_rates', {
  /** ISO 4217 code of three letters. */
  currency: text(),
  /** It counts from this day until there is another. */
  date: day(),
  /** Units of it for one of the company's currency. */
  rate: exact(),
  source: text<'manual' | 'ecb'>(),
}) {
  static override entityType = 'ExchangeRate';
  static override access = 'exchange_rates:read' as const;
}

export class ExchangeRevaluation extends versionedTable('exchange_revaluations', {
  code: text(),
  date: day(),
  /** Null if the entry stands. */
  reverseOn: optional(day()),
  rates: json<Readonly<Record<string, Decimal>>>(),
  lines: json<readonly RevaluedPart[]>(),
  gain: exact(),
  loss: exact(),
  entryId: optional(uuid()),
  reversalId: optional(uuid()),
  cancelledAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'ExchangeRevaluation';
  static override access = 'journal_entries:read' as const;
}
