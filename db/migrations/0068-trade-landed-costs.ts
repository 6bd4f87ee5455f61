import { describe, reference, tenantTable } from './schema.ts';

const OF_ITEMS = `
    weight numeric(20,6), -- Weight of one unit, in kilograms
    volume numeric(20,6), -- Volume of one unit, in cubic metres`;
const OF_MOVEMENTS = `
    landed_cost_id uuid, -- Landed cost that changed the value of goods`;

/** Costs of bringing goods in, such as freight and duty, that become part of what the goods cost. */
export const up = `
  ${tenantTable(
    'landed_costs',
    'Costs of bringing goods in, spread over their receipts.',
    `
    code text not null, -- Number
    date date not null, -- Day on which the goods begin to cost more
    period_id uuid not null, -- Period of that day
    description text, -- What it is for
    status text not null default 'posted' check (status in ('posted', 'cancelled')), -- posted or cancelled
    total numeric(20,6) not null, -- Sum of the costs
    created_by uuid, -- User who entered it
    cancelled_at timestamptz, -- When it was cancelled
    constraint landed_costs_code_key unique (tenant_id, code),
    ${reference('landed_costs', 'period_id', 'periods')}
  `,
  )}
  create index landed_costs_list on landed_costs (tenant_id, date, id);

  ${tenantTable(
    'landed_cost_charges',
    'The single costs, such as freight.',
    `
    landed_cost_id uuid not null, -- Landed cost
    number integer not null, -- Order, from 1
    description text, -- Name of the cost
    method text not null check (method in ('value', 'quantity', 'weight', 'volume', 'equal')), -- What it is spread by
    amount numeric(20,6) not null check (amount > 0), -- Amount
    document_line_id uuid, -- Line of the purchase invoice that charges it
    constraint landed_cost_charges_key unique (tenant_id, landed_cost_id, number),
    ${reference('landed_cost_charges', 'landed_cost_id', 'landed_costs', 'on delete cascade')},
    ${reference('landed_cost_charges', 'document_line_id', 'document_lines')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index landed_cost_charges_line on landed_cost_charges (tenant_id, document_line_id) where document_line_id is not null;

  ${tenantTable(
    'landed_cost_shares',
    'What each received line bears.',
    `
    landed_cost_id uuid not null, -- Landed cost
    document_line_id uuid not null, -- Line of the receipt
    amount numeric(20,6) not null, -- Its share of all costs
    constraint landed_cost_shares_key unique (tenant_id, landed_cost_id, document_line_id),
    ${reference('landed_cost_shares', 'landed_cost_id', 'landed_costs', 'on delete cascade')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}

  alter table items add column weight numeric(20,6) constraint items_weight_check check (weight > 0),
    add column volume numeric(20,6) constraint items_volume_check check (volume > 0);
  alter table stock_movements add column landed_cost_id uuid,
    add ${reference('stock_movements', 'landed_cost_id', 'landed_costs')} not valid;
  ${describe('items', 'Goods and services that are bought and sold.', OF_ITEMS)}
  ${describe('stock_movements', 'Movements of goods. Rows are only ever inserted.', OF_MOVEMENTS)}
`;
