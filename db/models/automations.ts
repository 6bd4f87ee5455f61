/** Rules of automations: when what happens, what is done. */
import type { Condition } from '../../domain/conditions/conditions.ts';
import { flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { table, versionedTable } from './table.ts';

/** What it needs for its type is declared by its schema. */
type Typed = Readonly<Record<string, unknown>> & { readonly type: string };

export class Automation extends versionedTable('automations', {
  name: text(),
  description: optional(text()),
  trigger: json<Typed>(),
  conditions: json<readonly Condition[]>(),
  actions: json<readonly Typed[]>(),
  stopOnError: flag(),
  status: text<'active' | 'paused' | 'disabled'>(),
  /** Why the service has paused it. */
  pauseReason: optional(text()),
  /** Counted beside its versions, and not audited. */
  executionCount: integer(),
  lastExecutedAt: optional(instant()),
  createdBy: optional(uuid()),
  /** Whose permissions its actions need: who made it, or enabled it after they had left. */
  runsAs: optional(uuid()),
  /** The same if it is not a user: `api_key:<id>`. */
  actor: optional(text()),
}) {
  static override entityType = 'Automation';
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'actor'];
}

export const RUN_STATUSES = ['running', 'success', 'partial', 'failed', 'skipped', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What came of one action. */
export interface ActionResult {
  readonly type: string;
  readonly status: 'success' | 'failed';
  /** Tries that were made. */
  readonly attempts: number;
  /** Why it failed; null if it did not. */
  readonly error: string | null;
  /** What it made or got: ids, the status of an answer. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** Paths of templates that led to nothing. */
  readonly unknown_paths: readonly string[];
  readonly executed_at: string;
}

/** One run of a rule: what caused it, what it does, how far it has come. */
export class AutomationRun extends table('automation_runs', {
  automationId: uuid(),
  automationVersion: integer(),
  trigger: text(),
  /** What it runs for, once: the event's id, or the time by the clock. */
  cause: text(),
  eventId: optional(uuid()),
  documentId: optional(uuid()),
  paymentId: optional(uuid()),
  partnerId: optional(uuid()),
  itemId: optional(uuid()),
  /** What templates see as `event`. */
  event: json<Readonly<Record<string, unknown>>>(),
  /** The actions of the rule as it was. */
  actions: json<readonly Typed[]>(),
  stopOnError: flag(),
  /** Of the actions that were tried, in their order. */
  results: json<readonly ActionResult[]>(),
  /** How many rules had to run for its cause to happen. */
  depth: integer(),
  status: text<RunStatus>(),
  /** Why it was skipped, cancelled or could not begin. */
  reason: optional(text()),
  /** Tries of the action that is next. */
  tries: integer(),
  /** Raised by each repetition. */
  turn: integer(),
  executedAt: instant(),
  /** When its last turn began. */
  startedAt: instant(),
  durationMs: optional(integer()),
}) {}
