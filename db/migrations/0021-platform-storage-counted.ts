/**
 * Counts what was stored before the triggers. One statement sees rows and changes as of the same moment, so that it is right while others
 * write, and adds nothing when it runs again.
 */
import { perTenant } from './per-tenant.ts';

export const up = perTenant(`
  update stored_objects o set size = a.size from attachments a where a.id = o.id and o.size is null;
  insert into storage_changes (tenant_id, kind, bytes, items)
  select tenant_id, kind, sum(bytes), sum(items) from (
    select tenant_id, kind, bytes, 1 as items from stored_items
    union all select tenant_id, kind, -bytes, -items from storage_changes where kind <> 'recent'
  ) difference group by 1, 2 having sum(bytes) <> 0 or sum(items) <> 0`);
