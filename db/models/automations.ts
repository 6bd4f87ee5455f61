/** Rules of automations: when what happens, what is done. */
import type { Condition } from '../../domain/conditions/conditions.ts';
import { flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { versionedTable } from './table.ts';

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
