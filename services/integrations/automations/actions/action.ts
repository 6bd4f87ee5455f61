/** Interfaces of actions, as runs of rules use them. */
import type { Context } from '../../../../db/context.ts';
import type { Database, Db } from '../../../../db/database.ts';
import type { Answer } from '../../../../domain/integrations/automations/answers.ts';
import type { Permission } from '../../../../domain/permissions.ts';
import type { MailLimits } from '../../../messages/mail/queue.ts';
import type { EncryptionKeys } from '../../../platform/encryption/seal.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Gate } from '../../webhooks/gate.ts';
import type { Action, ActionOf } from '../schemas.ts';
import type { Subject } from '../subject.ts';

/** Result of an action, for the log: ids of created records, the status of an answer. */
export type Detail = Readonly<Record<string, unknown>>;

/** Input of an action. */
export interface Act<Type extends Action['type'] = Action['type']> {
  readonly automationId: string;
  /** The action with filled-in templates. */
  readonly action: ActionOf<Type>;
  readonly subject: Subject;
  /** UUID of this action in this run, the same for each try, so that its effects happen once. */
  readonly key: string;
  readonly runId: string;
  /** The workflow of the run. */
  readonly workflowId: string;
  /** The principal whose permissions it has. */
  readonly runsAs: { readonly userId: string | null; readonly actor: string | null };
}

/** An action that writes here, within the transaction that logs it: both happen or neither does. */
export interface WritingAction<Type extends Action['type']> {
  readonly needs: (subject: Subject, action: ActionOf<Type>) => readonly Permission[];
  /** @throws ServiceError if it cannot be done, which fails it permanently */
  readonly write: (trx: Db, ctx: Context, act: Act<Type>, limits: MailLimits) => Promise<Detail>;
}

export interface CallDeps {
  readonly database: Database;
  readonly outbound: Pick<Outbound, 'send'>;
  readonly gate: Gate;
  readonly encryptionKeys: EncryptionKeys;
  readonly now: () => Date;
}

/** Outcome of a call, which is retried if `retry` is set; without an answer if none came. */
export type Called =
  | { readonly kind: 'done'; readonly detail: Detail; readonly answer: Answer | null }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly detail: Detail;
      readonly answer: Answer | null;
      readonly retry: boolean;
      readonly retryAfter?: number;
    }
  /** Not called yet, because others are under way. */
  | { readonly kind: 'waits'; readonly reason: string; readonly seconds: number };

/** The outcome of asking people: nothing yet, a yes or a no. */
export type Asked =
  | { readonly kind: 'waits'; readonly until: Date }
  | { readonly kind: 'done'; readonly detail: Detail }
  /** The run ends. */
  | { readonly kind: 'refused'; readonly detail: Detail; readonly reason: string };

/** An action that asks people: performed first to ask, then again once somebody has answered or the time is over. */
export interface AskingAction<Type extends Action['type']> {
  readonly needs: (subject: Subject, action: ActionOf<Type>) => readonly Permission[];
  /** @throws ServiceError if nobody can be asked, which fails it permanently */
  readonly ask: (trx: Db, ctx: Context, act: Act<Type>, limits: MailLimits) => Promise<Asked>;
}

/** An action that calls another server, outside of any transaction; the receiver recognises retries by its key. */
export interface CallingAction<Type extends Action['type']> {
  readonly needs: (subject: Subject, action: ActionOf<Type>) => readonly Permission[];
  readonly call: (deps: CallDeps, ctx: Context, act: Act<Type>, signal: AbortSignal) => Promise<Called>;
}
