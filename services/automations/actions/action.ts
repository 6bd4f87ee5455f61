/** What an action is to the runs of rules. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Permission } from '../../../domain/permissions.ts';
import type { EncryptionKeys } from '../../encryption/seal.ts';
import type { MailLimits } from '../../mail/queue.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Gate } from '../../webhooks/gate.ts';
import type { Action, ActionOf } from '../schemas.ts';
import type { Subject } from '../subject.ts';

/** What an action made or got, for the log: ids, the status of an answer. */
export type Detail = Readonly<Record<string, unknown>>;

/** What an action does it with. */
export interface Act<Type extends Action['type'] = Action['type']> {
  readonly automationId: string;
  /** Its templates are filled in. */
  readonly action: ActionOf<Type>;
  readonly subject: Subject;
  /** UUID of this action of this run, the same for each try: what it makes is made once. */
  readonly key: string;
  /** Whose permissions it has. */
  readonly runsAs: { readonly userId: string | null; readonly actor: string | null };
}

/** An action that writes here, within the transaction that logs it: both happen or neither does. */
export interface WritingAction<Type extends Action['type']> {
  readonly needs: (subject: Subject, action: ActionOf<Type>) => readonly Permission[];
  /** @throws ServiceError when it cannot be done, which fails it for good */
  readonly write: (trx: Db, ctx: Context, act: Act<Type>, limits: MailLimits) => Promise<Detail>;
}

export interface CallDeps {
  readonly database: Database;
  readonly outbound: Pick<Outbound, 'send'>;
  readonly gate: Gate;
  readonly encryptionKeys: EncryptionKeys;
  readonly now: () => Date;
}

/** What came of a call: it is tried again where `retry` says so. */
export type Called =
  | { readonly kind: 'done'; readonly detail: Detail }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly detail: Detail;
      readonly retry: boolean;
      readonly retryAfter?: number;
    }
  /** Not called yet, since others are under way. */
  | { readonly kind: 'waits'; readonly reason: string; readonly seconds: number };

/** An action that calls another server, outside of any transaction; the receiver knows repetitions by its key. */
export interface CallingAction<Type extends Action['type']> {
  readonly needs: (subject: Subject, action: ActionOf<Type>) => readonly Permission[];
  readonly call: (deps: CallDeps, ctx: Context, act: Act<Type>, signal: AbortSignal) => Promise<Called>;
}
