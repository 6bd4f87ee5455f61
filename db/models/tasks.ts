/** Background tasks: long work that a request asked for and a workflow does. */
import type { TaskKind, TaskStatus, TaskType } from '../../domain/tasks.ts';
import { type Presented, TenantModel } from './base.ts';

/** Members that are left out while there is nothing to tell. */
const OPTIONAL: readonly string[] = ['result_url', 'error', 'completed_at'];

export class Task extends TenantModel {
  static override tableName = 'tasks';
  static override entityType = 'Task';
  static override naming = 'snake_case' as const;
  /** What the work itself needs is nobody else's business. */
  static override hidden: readonly string[] = ['tenantId', 'kind', 'input', 'position', 'counts', 'actor'];
  declare kind: TaskKind;
  declare type: TaskType;
  declare status: TaskStatus;
  /** Whole percent, 0 to 100. */
  declare progress: number;
  declare message: string;
  declare resultUrl: string | null;
  /** Why it failed, in words for its user. */
  declare error: string | null;
  declare input: Record<string, unknown>;
  /** How far the work has come, where it goes on after a crash. */
  declare position: Record<string, unknown> | null;
  /** How much was done in the end, by what was counted. */
  declare counts: Record<string, number> | null;
  declare createdBy: string | null;
  /** What asked for it when no user did, as in the audit log. */
  declare actor: string | null;
  declare completedAt: string | null;

  static override present(row: Presented): Presented {
    const shown = Object.entries(super.present(row));
    return Object.fromEntries(shown.filter(([name, value]) => value !== null || !OPTIONAL.includes(name)));
  }
}
