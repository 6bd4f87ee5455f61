/** What the service tells a user of a company (specification, section Notification). */
import { type Presented, TenantModel } from './base.ts';

const OPTIONAL: readonly string[] = ['metadata', 'action_url', 'action_label', 'read_at'];

export class Notification extends TenantModel {
  static override tableName = 'notifications';
  static override entityType = 'Notification';
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = [];
  declare userId: string;
  declare type: string;
  declare title: string;
  declare body: string;
  declare read: boolean;
  declare readAt: string | null;
  declare metadata: Record<string, unknown> | null;
  declare actionUrl: string | null;
  declare actionLabel: string | null;

  static override present(row: Presented): Presented {
    const shown = Object.entries(super.present(row));
    return Object.fromEntries(shown.filter(([name, value]) => value !== null || !OPTIONAL.includes(name)));
  }
}
