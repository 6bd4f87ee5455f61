/** The parts of a kind of entries that the service makes on their day. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';

/** The words in which people are told of something. */
export interface Told {
  readonly title: string;
  readonly body: string;
}

/** In English and in Spanish. */
export interface InBoth {
  readonly en: Told;
  readonly es: Told;
}

export interface EnteredSome {
  readonly entered: number;
  /** Whether more of the company is due. */
  readonly more: boolean;
  /** Words about what waits and what to do about it; null if nothing waits. People are told once of the same words. */
  readonly toDo: InBoth | null;
  /** Words about what was entered; null where they expect it. */
  readonly notice: (InBoth & { readonly actionUrl: string }) | null;
}

export interface DueKind {
  /** By which the service remembers what people were told. */
  readonly name: string;
  /** The title of the to-do when none of them can be entered. */
  readonly refused: { readonly en: string; readonly es: string };
  /**
   * SQL: companies (`tenant_id`) in which some are due, by the system role. `:day` is yesterday by UTC, which every company has reached. A
   * company that is named a day early has nothing to enter yet.
   */
  readonly companies: string;
  /**
   * Enters some that are due, in one transaction; what was entered is not due any more.
   * @param today in the company's time zone
   * @throws ServiceError when none can be entered: people are told why, and the next run tries again
   */
  enter(trx: Db, ctx: Context, today: string): Promise<EnteredSome>;
}
