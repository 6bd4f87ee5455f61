/** Background tasks: long work requested by a client and done by a workflow; and schedules that start such work. */
import type { Permission } from '../../../domain/permissions.ts';
import {
  shownTaskKind,
  shownTaskStatus,
  type TaskKind,
  type TaskStatus,
  type TaskType,
} from '../../../domain/platform/tasks.ts';
import type { JsonRow } from '../base.ts';
import { flag, instant, integer, json, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

/** Members left out while there is nothing to report. */
const OPTIONAL: readonly string[] = ['result_url', 'error', 'completed_at'];

export class Task extends versionedTable('tasks', {
  kind: text<TaskKind>(),
  type: text<TaskType>(),
  status: text<TaskStatus>(),
  /** Whole percent, 0 to 100. */
  progress: integer(),
  message: text(),
  resultUrl: optional(text()),
  /** Why it failed, in words for its user. */
  error: optional(text()),
  input: json<Record<string, unknown>>(),
  /** Progress of the work, from which it continues after a crash. */
  position: optional(json<Record<string, unknown>>()),
  /** Amount of work done, by kind. */
  counts: optional(json<Record<string, number>>()),
  createdBy: optional(uuid()),
  /** The requester if it was not a user, as in the audit log. */
  actor: optional(text()),
  /** Number of rule runs in the chain that led to it. */
  depth: integer(),
  /** Permission that its readers need; null for none. */
  permission: optional(text<Permission>()),
  /** Whether its requester alone may see it: it holds data of other companies. */
  personal: flag(),
  completedAt: optional(instant()),
  /** When a worker began with it. */
  takenAt: optional(instant()),
}) {
  static override entityType = 'Task';
  static override access = 'own' as const;
  static override naming = 'snake_case' as const;
  /** The input of the work is internal. */
  static override hidden: readonly string[] = [
    'tenantId',
    'input',
    'position',
    'counts',
    'actor',
    'depth',
    'permission',
    'personal',
    'takenAt',
  ];

  static override toJson(row: JsonRow): JsonRow {
    const { kind, status, takenAt } = row as unknown as Task;
    const { kind: _, ...shown } = super.toJson(row);
    const states = { kind: shownTaskKind(kind), status: shownTaskStatus(status, takenAt ?? null) };
    const members = Object.entries({ ...shown, ...states });
    return Object.fromEntries(members.filter(([name, value]) => value !== null || !OPTIONAL.includes(name)));
  }

  /** Omits the address of its result, which may work without a token. */
  static override maskSecrets({ result_url: _, ...values }: JsonRow): JsonRow {
    return values;
  }
}

/** A report that is created at certain times, as a task of its owner. */
export class ReportSchedule extends versionedTable('report_schedules', {
  name: text(),
  /** As in the envelope of the report: trial_balance, tax_model303. */
  reportName: text(),
  /** Parameters of the report, whose days may be relative. */
  params: json<Record<string, unknown>>(),
  cron: text(),
  timezone: text(),
  recipients: list<string[]>(),
  format: text(),
  skipWhenEmpty: flag(),
  active: flag(),
  /** Why it is paused, if not by a request. */
  pauseReason: optional(text()),
  /** Its owner: it runs with their rights. */
  createdBy: optional(uuid()),
  /** The owner if it is not a user: `api_key:<id>`. */
  actor: optional(text()),
  /** Time of the last run; it changes without a new version or audit record. */
  lastRunAt: optional(instant()),
  lastOutcome: optional(text()),
  lastTaskId: optional(uuid()),
}) {
  static override entityType = 'ReportSchedule';
  static override access = 'own' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'actor'];
}
