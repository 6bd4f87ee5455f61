import { annotated, tenantTable } from './schema.ts';

/** Entries that count in consolidated reports alone. */
export const up = `
  ${tenantTable(
    'group_adjustments',
    'What the parent of a group enters for its consolidated reports alone.',
    `
    date date not null, -- Day from which it counts
    description text not null, -- Text
    lines jsonb not null, -- Accounts with their side and amount, equal on both sides
    reverses_on date, -- Day on which the opposite counts; null if it stands
    constraint group_adjustments_days_check check (reverses_on > date)
  `,
  )}
  create index group_adjustments_list on group_adjustments (tenant_id, date, id);
  ${annotated('group_adjustments')}
`;
