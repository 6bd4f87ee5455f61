/** Rules of automations, and their runs. */
import { maskActions, maskAddress } from '../../../domain/integrations/automations/headers.ts';
import type { Conditions } from '../../../domain/platform/conditions/groups.ts';
import type { JsonRow } from '../base.ts';
import { bytes, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

/** A trigger or action; the schema of its type declares its members. */
type Typed = Readonly<Record<string, unknown>> & { readonly type: string };

export class Automation extends versionedTable('automations', {
  name: text(),
  description: optional(text()),
  trigger: json<Typed>(),
  conditions: json<Conditions>(),
  /** Actions with masks for the values of headers. */
  actions: json<readonly Typed[]>(),
  /** The values of headers, by action; null if there are none, or in rows of version 1.0.0 until they are sealed. */
  headersEncrypted: optional(bytes()),
  stopOnError: flag(),
  /** Whether it runs once for each line of its document; null: once for the document. */
  forEach: optional(text<'line'>()),
  status: text<'active' | 'paused' | 'disabled'>(),
  /** Reason why the service paused it. */
  pauseReason: optional(text()),
  /** Changes without a new version or audit record. */
  executionCount: integer(),
  lastExecutedAt: optional(instant()),
  createdBy: optional(uuid()),
  /** The user whose permissions its actions need: its creator, or whoever enabled it after they had left. */
  runsAs: optional(uuid()),
  /** The actor in place of a user: `api_key:<id>`. */
  actor: optional(text()),
}) {
  static override entityType = 'Automation';
  static override access = 'automations:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'actor', 'headersEncrypted'];

  /** Masks the values of headers also in rows of version 1.0.0. */
  static override toJson(row: JsonRow): JsonRow {
    if (row.actions === undefined) return super.toJson(row);
    return super.toJson({ ...row, actions: maskActions(row.actions as readonly Typed[]) });
  }

  static override maskSecrets(values: JsonRow): JsonRow {
    const { actions } = values as { readonly actions?: readonly Typed[] };
    return actions === undefined ? values : { ...values, actions: maskActions(actions).map(maskAddress) };
  }
}

export const RUN_STATUSES = ['running', 'success', 'partial', 'failed', 'skipped', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Outcome of one action. */
export interface ActionResult {
  readonly type: string;
  readonly status: 'success' | 'failed';
  /** Tries so far. */
  readonly attempts: number;
  /** Reason of the failure; null on success. */
  readonly error: string | null;
  /** Result: ids of created records, the status of an answer. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** Paths in its templates for which there was no data. */
  readonly unknown_paths: readonly string[];
  readonly executed_at: string;
}

/** One run of a rule: its cause, its actions and its progress. */
export class AutomationRun extends table('automation_runs', {
  automationId: uuid(),
  automationVersion: integer(),
  trigger: text(),
  /** Unique key of the cause: the event's id, or the scheduled time. */
  cause: text(),
  eventId: optional(uuid()),
  documentId: optional(uuid()),
  paymentId: optional(uuid()),
  partnerId: optional(uuid()),
  itemId: optional(uuid()),
  priceId: optional(uuid()),
  /** The line of the document, for rules that run once for each. */
  lineId: optional(uuid()),
  /** Data that templates see as `event`. */
  event: json<Readonly<Record<string, unknown>>>(),
  /** The rule's actions at that time. */
  actions: json<readonly Typed[]>(),
  /** The values of their headers, encrypted as those of the rule. */
  headersEncrypted: optional(bytes()),
  /** The answers of calls that later actions refer to, encrypted; null if there are none. */
  answersEncrypted: optional(bytes()),
  stopOnError: flag(),
  /** Results of the actions tried so far, in order. */
  results: json<readonly ActionResult[]>(),
  /** Number of rule runs in the chain that led to its cause. */
  depth: integer(),
  status: text<RunStatus>(),
  /** Reason why it was skipped, was cancelled or could not begin. */
  reason: optional(text()),
  /** Tries of the next action. */
  tries: integer(),
  /** Incremented by each rerun. */
  turn: integer(),
  executedAt: instant(),
  /** Start of its last turn. */
  startedAt: instant(),
  durationMs: optional(integer()),
}) {}
