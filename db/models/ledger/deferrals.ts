/** Income and expense that wait for the months of their service. */
import type { DeferralKind } from '../../../domain/ledger/deferrals/spread.ts';
import { day, exact, integer, optional, text, uuid } from '../columns.ts';
import { table } from '../table.ts';

/** A line of an invoice or entry that is spread over the months of its service; insert-only. */
export class Deferral extends table('deferrals', {
  /** The invoice, or null. */
  documentId: optional(uuid()),
  /** The entry that was made by hand, or null. */
  entryId: optional(uuid()),
  /** Line of the invoice. */
  lineId: optional(uuid()),
  lineNumber: integer(),
  /** Line of another invoice that it takes back, which is spread. */
  takesBackId: optional(uuid()),
  /** The invoice or entry whose months this one shares: of a credit, the one that it takes back. */
  originId: uuid(),
  date: day(),
  description: text(),
  kind: text<DeferralKind>(),
  accountId: uuid(),
  deferralAccountId: uuid(),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  serviceFrom: day(),
  serviceTo: day(),
  amount: exact(),
}) {}

/** The part of it that a month takes. */
export class DeferralPart extends table('deferral_parts', {
  deferralId: uuid(),
  originId: uuid(),
  /** The last day of the month. */
  date: day(),
  amount: exact(),
  /** Null while it waits. */
  recognisedOn: optional(day()),
  /** Null while it waits, and where parts of a month cancel out. */
  entryId: optional(uuid()),
}) {}
