import { SYSTEM_ROLE } from '../database.ts';
import { reference, tenantTable } from './schema.ts';

/** What keeps entries from being made on their day, entries that reverse themselves, and what finds companies with depreciation due. */
export const up = `
  ${tenantTable(
    'due_entry_obstacles',
    'What keeps entries that are due from being made: people are told once of each.',
    `
    kind text not null, -- Kind of entries
    reason text not null, -- What people were told
    to_do_id uuid, -- To-do that told them; null if they have deleted it, or nobody could be told
    constraint due_entry_obstacles_kind_key unique (tenant_id, kind),
    ${reference('due_entry_obstacles', 'to_do_id', 'to_dos', 'on delete set null (to_do_id)')}
  `,
    { versioned: false, systemGrants: 'select' },
  )}
  create index due_entry_obstacles_to_do on due_entry_obstacles (tenant_id, to_do_id) where to_do_id is not null;
  comment on column deferral_parts.reported_at is 'No longer used: due_entry_obstacles has what people were told';

  ${tenantTable(
    'planned_reversals',
    'Manual entries that are reversed on a day to come; a row goes when its entry is reversed.',
    `
    entry_id uuid not null, -- Entry
    date date not null, -- Day on which it is reversed
    constraint planned_reversals_entry_key unique (tenant_id, entry_id),
    ${reference('planned_reversals', 'entry_id', 'journal_entries', 'on delete cascade')}
  `,
    { versioned: false, systemGrants: 'select' },
  )}
  create index planned_reversals_due on planned_reversals (tenant_id, date);

  create policy settings_system on settings for select to ${SYSTEM_ROLE} using (name = 'accounting');
  create policy assets_system on assets for select to ${SYSTEM_ROLE} using (next_from is not null);
  grant select on settings, assets to ${SYSTEM_ROLE};
`;
