/** The parts of a kind of entries that the service makes on their day. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';

/** The words in which people are told of entries that could not be made. */
export interface Told {
  readonly title: string;
  readonly body: string;
}

export interface EnteredSome {
  readonly entered: number;
  /** Whether more of the company is due. */
  readonly more: boolean;
  /** In English and in Spanish: what waits and what to do about it; null if nobody has to know, or everybody does. */
  readonly toDo: { readonly en: Told; readonly es: Told } | null;
}

export interface DueKind {
  /**
   * SQL: companies (`tenant_id`) in which some are due, by the system role. `:day` is the last day that is over everywhere. What people
   * were told of is not due.
   */
  readonly companies: string;
  /** Enters some that are due, in one transaction; what was entered is not due any more. @param today in the company's time zone */
  enter(trx: Db, ctx: Context, today: string): Promise<EnteredSome>;
}
