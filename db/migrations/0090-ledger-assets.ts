import { annotated, reference, tenantTable } from './schema.ts';

const METHODS = `('linear', 'declining', 'digits', 'none')`;
const ACCOUNTS = [
  'asset',
  'accumulated',
  'expense',
  'impairment',
  'impairment_loss',
  'impairment_reversal',
  'gain',
  'loss',
];

/** Fixed assets, their groups, what changes their values, and runs of depreciation. */
export const up = `
  ${tenantTable(
    'asset_groups',
    'Groups of fixed assets, with their accounts and how they are usually depreciated.',
    `
    code text not null, -- Code
    name text not null, -- Name
    asset_account_id uuid not null, -- Account of the cost: 20x, 21x
    accumulated_account_id uuid, -- Account of the accumulated depreciation: 280, 281
    expense_account_id uuid, -- Account of the depreciation: 680, 681
    impairment_account_id uuid, -- Account of impairments: 290, 291
    impairment_loss_account_id uuid, -- Account of their expense: 690, 691
    impairment_reversal_account_id uuid, -- Account of their reversal: 790, 791
    gain_account_id uuid, -- Account of gains from disposals: 770, 771
    loss_account_id uuid, -- Account of losses from disposals: 670, 671
    method text not null check (method in ${METHODS}), -- How its assets are usually depreciated
    useful_life_months integer, -- Usual useful life in months
    max_percent numeric(9,4), -- Greatest linear percentage of a year by the official table
    max_years integer, -- Greatest useful life in years by the official table
    linear_only boolean not null, -- Whether only linear depreciation counts for tax
    active boolean not null, -- Whether new assets can have it
    constraint asset_groups_code_key unique (tenant_id, code),
    ${ACCOUNTS.map((account) => reference('asset_groups', `${account}_account_id`, 'accounts')).join(',\n    ')}
  `,
  )}
  create index asset_groups_list on asset_groups (tenant_id, name, id);
  ${annotated('asset_groups')}

  ${tenantTable(
    'asset_runs',
    'Runs that enter the depreciation of all assets.',
    `
    code text not null, -- Number
    "to" date not null, -- Day up to which it went
    frequency text not null check (frequency in ('month', 'year')), -- Whether it entered months or fiscal years
    status text not null check (status in ('posted', 'undone')), -- posted or undone
    automatic boolean not null, -- Whether the service began it
    assets integer not null, -- Number of assets
    total numeric(20,6) not null, -- Sum of the depreciation
    undone_at timestamptz, -- When it was undone
    created_by uuid, -- User who began it
    constraint asset_runs_code_key unique (tenant_id, code)
  `,
  )}
  create index asset_runs_list on asset_runs (tenant_id, "to", id);

  ${tenantTable(
    'assets',
    'Fixed assets. The values are sums of their movements.',
    `
    code text not null, -- Code
    name text not null, -- Name
    group_id uuid not null, -- Group
    status text not null check (status in ('active', 'disposed')), -- active or disposed
    acquired_on date not null, -- Day of acquisition
    in_use_on date not null, -- Day from which it is in use
    initial_cost numeric(20,6) not null check (initial_cost > 0), -- Cost at the acquisition
    residual_value numeric(20,6) not null check (residual_value >= 0), -- Value that is not depreciated
    method text not null check (method in ${METHODS}), -- How it is depreciated
    useful_life_months integer check (useful_life_months > 0), -- Useful life in months
    percent numeric(9,4) check (percent > 0 and percent <= 100), -- Constant percentage of a declining depreciation
    partial_months text not null check (partial_months in ('days', 'months')), -- How months are counted that are cut short
    cost_center_id uuid, -- Cost centre of its depreciation
    project_id uuid, -- Project of its depreciation
    document_line_id uuid, -- Line of the purchase invoice that it was bought by
    serial_number text, -- Serial number
    location text, -- Where it is
    notes text, -- Notes
    initial_accumulated numeric(20,6) not null check (initial_accumulated >= 0), -- Depreciation before it was taken over
    taken_over_to date, -- Last day that was depreciated before it was taken over
    cost numeric(20,6) not null, -- Cost with improvements; 0 once it is disposed of
    accumulated numeric(20,6) not null, -- Accumulated depreciation
    impairment numeric(20,6) not null, -- Impairment
    -- Cost less depreciation and impairment
    net_book_value numeric(20,6) not null generated always as (cost - accumulated - impairment) stored,
    depreciated_to date, -- Last day depreciated
    ends_on date, -- Last day of its useful life
    next_from date, -- First day to be depreciated; null if none is left
    disposed_on date, -- Day of its disposal
    created_by uuid, -- User who entered it
    constraint assets_code_key unique (tenant_id, code),
    constraint assets_values_check check (accumulated >= 0 and impairment >= 0 and accumulated + impairment <= cost),
    constraint assets_life_check check (method = 'none' or useful_life_months is not null),
    constraint assets_days_check check (in_use_on >= acquired_on),
    ${reference('assets', 'group_id', 'asset_groups')},
    ${reference('assets', 'cost_center_id', 'cost_centers')},
    ${reference('assets', 'project_id', 'projects')},
    ${reference('assets', 'document_line_id', 'document_lines')}
  `,
  )}
  create index assets_group on assets (tenant_id, group_id);
  create index assets_list on assets (tenant_id, name, id);
  create index assets_due on assets (tenant_id, next_from) where next_from is not null;
  create index assets_line on assets (tenant_id, document_line_id) where document_line_id is not null;
  create index assets_cost_center on assets (tenant_id, cost_center_id) where cost_center_id is not null;
  create index assets_project on assets (tenant_id, project_id) where project_id is not null;
  ${annotated('assets')}

  ${tenantTable(
    'asset_movements',
    'What changes the values of fixed assets. What is undone stays, with its opposite.',
    `
    asset_id uuid not null, -- Asset
    -- What happened
    kind text not null check (kind in ('acquisition', 'takeover', 'depreciation', 'improvement', 'impairment', 'impairment_reversal',
      'disposal')),
    date date not null, -- Day on which it counts
    cost numeric(20,6) not null, -- Change of the cost
    accumulated numeric(20,6) not null, -- Change of the accumulated depreciation
    impairment numeric(20,6) not null, -- Change of the impairment
    from_date date, -- Depreciation: its first day
    to_date date, -- Depreciation: its last day
    run_id uuid, -- Run that entered it
    entry_id uuid, -- Journal entry
    document_line_id uuid, -- Line of an invoice: of a purchase that is part of the cost, or of the sale
    proceeds numeric(20,6), -- Disposal: what it was sold for
    description text, -- Text
    standing boolean not null, -- Whether it counts: neither undone nor the opposite of what is undone
    undoes_id uuid, -- Movement that this one undoes
    created_by uuid, -- User who entered it
    created_at timestamptz not null, -- When it was entered
    ${reference('asset_movements', 'asset_id', 'assets', 'on delete cascade')},
    ${reference('asset_movements', 'run_id', 'asset_runs')},
    ${reference('asset_movements', 'entry_id', 'journal_entries')},
    ${reference('asset_movements', 'document_line_id', 'document_lines')}
  `,
    { versioned: false },
  )}
  create index asset_movements_asset on asset_movements (tenant_id, asset_id, date, id);
  create unique index asset_movements_depreciated on asset_movements (tenant_id, asset_id, from_date)
    where standing and kind = 'depreciation';
  create index asset_movements_run on asset_movements (tenant_id, run_id) where run_id is not null;
  create index asset_movements_entry on asset_movements (tenant_id, entry_id) where entry_id is not null;
  create index asset_movements_line on asset_movements (tenant_id, document_line_id) where document_line_id is not null;
  create index asset_movements_date on asset_movements (tenant_id, date);
`;
