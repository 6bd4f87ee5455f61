import { annotated, reference, tenantTable } from './schema.ts';

const METHODS = `('average', 'fifo', 'standard')`;

/** Standard costs of items, and the costing method that uses them. */
export const up = `
  ${tenantTable(
    'standard_costs',
    'Standard costs of items by day.',
    `
    item_id uuid not null, -- Item
    date date not null, -- Day from which the cost counts
    cost numeric(20,6) not null check (cost >= 0), -- Cost of one of its own unit, in the company's currency
    constraint standard_costs_date_key unique (tenant_id, item_id, date),
    ${reference('standard_costs', 'item_id', 'items', 'on delete cascade')}
  `,
  )}
  create index standard_costs_list on standard_costs (tenant_id, date, id);
  ${annotated('standard_costs')}

  alter table items drop constraint items_cost_method_check,
    add constraint items_cost_method_check check (cost_method in ${METHODS}) not valid;
  alter table categories drop constraint categories_cost_method_check,
    add constraint categories_cost_method_check check (cost_method in ${METHODS}) not valid;
`;
