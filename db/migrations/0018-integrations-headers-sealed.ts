/** Finds headers that are not sealed yet, and the sealed ones of runs, without reading all rows. */
import { concurrently } from './concurrent-indexes.ts';

const IN_ACTIONS = `(tenant_id, id) where headers_encrypted is null and jsonb_path_exists(actions, '$[*].headers.*')`;

export const up = concurrently(
  {
    name: 'webhooks_unsealed',
    table: 'webhooks',
    of: `(tenant_id, id) where headers_encrypted is null and headers <> '{}'`,
  },
  { name: 'automations_unsealed', table: 'automations', of: IN_ACTIONS },
  { name: 'automation_runs_unsealed', table: 'automation_runs', of: IN_ACTIONS },
  {
    name: 'automation_runs_sealed',
    table: 'automation_runs',
    of: '(tenant_id, automation_id, id) where headers_encrypted is not null',
  },
);
