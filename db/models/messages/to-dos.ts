/** To-dos of people, and approvals that somebody waits for. */

import type { ToDoKind, ToDoStatus } from '../../../domain/messages/to-dos.ts';
import type { Role } from '../../../domain/permissions.ts';
import { instant, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class ToDo extends versionedTable('to_dos', {
  kind: text<ToDoKind>(),
  title: text(),
  body: text(),
  /** Who must do it; null if anybody with the role may. */
  userId: optional(uuid()),
  role: optional(text<Role>()),
  /** Approvals end then. */
  dueAt: optional(instant()),
  status: text<ToDoStatus>(),
  /** Who has ended it; null for the service. */
  endedBy: optional(uuid()),
  endedAt: optional(instant()),
  /** Said by who ended it. */
  comment: optional(text()),
  documentId: optional(uuid()),
  /** The run of a rule that made it. */
  runId: optional(uuid()),
  /** The workflow that waits for its end. */
  workflowId: optional(text()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'ToDo';
  static override access = 'own' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'workflowId'];
}
