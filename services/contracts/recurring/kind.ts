/** The parts of a kind of recurring document. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { PriceRule } from '../../../domain/contracts/recurring/prices.ts';
import type { RecurringMode } from '../../../domain/contracts/recurring/types.ts';

/** The body by which a client would make it. */
export type Template = Readonly<Record<string, unknown>>;

export interface Checked {
  readonly template: Template;
  readonly partnerId: string | null;
}

export interface ToMake {
  /** Filled in for its period. */
  readonly template: Template;
  readonly dueOn: string;
  readonly mode: RecurringMode;
}

export interface Made {
  readonly documentId: string | null;
  readonly entryId: string | null;
  /** Says what was not done, and why; null if all was. */
  readonly reason: string | null;
}

export interface RecurringKind {
  /**
   * Checks a template against the company's data and completes it: fixed prices are those of today unless given.
   * @throws ServiceError validation_failed, with pointers into the template
   */
  check(trx: Db, ctx: Context, given: Template, price: PriceRule): Promise<Checked>;
  /** The template of an existing record. @throws ServiceError not_found, invalid_transition */
  from(trx: Db, ctx: Context, id: string): Promise<Template>;
  /** Makes one. @throws ServiceError as the request that makes it */
  make(trx: Db, ctx: Context, due: ToMake): Promise<Made>;
}
