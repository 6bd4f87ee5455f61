import { annotated, customFields, reference, tenantTable } from './schema.ts';

/** Accounts, periods and numbering, taxes and terms, and the partners of a company. */
export const up = `
  -- For constraints against overlapping days.
  create extension if not exists btree_gist;

  ${tenantTable(
    'accounts',
    'Chart of accounts.',
    `
    code text not null, -- Account number
    name text not null, -- Name of the account
    -- asset, liability, equity, income or expense
    type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
    parent_id uuid, -- Account that it is a part of
    is_heading boolean not null default false, -- Whether it only groups others; headings take no entries
    active boolean not null default true, -- Whether it can be used in new entries
    constraint accounts_code_key unique (tenant_id, code),
    ${reference('accounts', 'parent_id', 'accounts')}
  `,
  )}
  create index accounts_parent on accounts (tenant_id, parent_id);
  ${annotated('accounts')}

  ${tenantTable(
    'periods',
    'Months of fiscal years. Nothing can be entered in a closed one.',
    `
    code text not null, -- Code, such as 2026-01
    name text, -- Name of the period
    "from" date not null, -- First day
    "to" date not null, -- Last day
    status char(1) not null default 'O' check (status in ('O', 'C')), -- O (open) or C (closed)
    constraint periods_code_key unique (tenant_id, code),
    constraint periods_no_overlap
      exclude using gist (tenant_id with =, daterange("from", "to", '[]') with &&),
    constraint periods_to_check check ("from" <= "to")
  `,
  )}
  ${annotated('periods')}

  ${tenantTable(
    'series',
    'Series that number documents of a type.',
    `
    -- SO, SDN, SINV, PO, PDN or PINV: order, delivery note or invoice, of sales or purchases
    doc_type text not null check (doc_type in ('SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV')),
    name text, -- Name of the series
    rectifying boolean not null default false, -- Whether it numbers rectifying invoices
    prefix text not null default '', -- Text before the number
    suffix text not null default '', -- Text after the number
    first_number integer not null default 1 check (first_number >= 0), -- First number of the series
    next_number integer not null, -- Number that the next document gets
    -- Digits that the number is filled up to with zeros
    padding integer not null default 0 check (padding between 0 and 12),
    -- Whether documents of the type and year get it unless another is chosen
    is_default boolean not null default false,
    year integer -- Fiscal year that it is for; null for all years
  `,
  )}
  create unique index series_prefix__suffix_key on series (tenant_id, doc_type, prefix, suffix);
  create unique index series_is_default_key on series (tenant_id, doc_type, rectifying, coalesce(year, 0))
    where is_default;
  ${annotated('series')}

  ${tenantTable(
    'taxes',
    'Taxes, with one row for each rate and the days on which it applies.',
    `
    code text not null, -- Code of the tax; its rates share it
    name text not null, -- Name of the tax
    rate numeric(9,4) not null check (rate between 0 and 100), -- Percentage
    -- Percentage of the equivalence surcharge (recargo de equivalencia)
    surcharge_rate numeric(9,4) not null default 0 check (surcharge_rate between 0 and 100),
    -- vat, exempt, reverse_charge or not_subject
    kind text not null default 'vat' check (kind in ('vat', 'exempt', 'reverse_charge', 'not_subject')),
    valid_from date, -- First day of the rate; null for no limit
    valid_to date, -- Last day of the rate; null for no limit
    output_account_id uuid, -- Account of tax charged; null for the company's default, as in the other four
    input_account_id uuid, -- Account of tax deducted
    surcharge_account_id uuid, -- Account of the surcharge
    intra_eu_output_account_id uuid, -- Account of tax assessed on purchases from the EU
    intra_eu_input_account_id uuid, -- Account of that tax when it is deducted
    constraint taxes_code__valid_from_key unique nulls not distinct (tenant_id, code, valid_from),
    constraint taxes_no_overlap
      exclude using gist (tenant_id with =, code with =, daterange(valid_from, valid_to, '[]') with &&),
    constraint taxes_valid_to_check check (valid_from <= valid_to),
    ${reference('taxes', 'output_account_id', 'accounts')},
    ${reference('taxes', 'input_account_id', 'accounts')},
    ${reference('taxes', 'surcharge_account_id', 'accounts')},
    ${reference('taxes', 'intra_eu_output_account_id', 'accounts')},
    ${reference('taxes', 'intra_eu_input_account_id', 'accounts')}
  `,
  )}
  ${annotated('taxes')}

  ${tenantTable(
    'payment_terms',
    'Payment terms: when an invoice is due, and in which parts.',
    `
    code text not null, -- Code of the terms
    name text not null, -- Name of the terms
    lines jsonb not null, -- Parts with their percentages and days
    active boolean not null default true, -- Whether new documents can have them
    constraint payment_terms_code_key unique (tenant_id, code)
  `,
  )}
  ${annotated('payment_terms')}

  ${tenantTable(
    'bank_accounts',
    'Bank accounts of the company.',
    `
    name text not null, -- Name of the account
    iban text not null, -- IBAN
    bank_name text, -- Name of the bank
    bic text, -- BIC of the bank
    is_default boolean not null default false, -- Whether payments use it unless another is chosen
    account_id uuid, -- Account in the ledger; null for the company's default
    statement_columns jsonb, -- Meaning of the columns in the bank's CSV and Excel files, kept from the last import
    constraint bank_accounts_iban_key unique (tenant_id, iban),
    ${reference('bank_accounts', 'account_id', 'accounts')}
  `,
  )}
  create unique index bank_accounts_is_default_key on bank_accounts (tenant_id) where is_default;
  ${annotated('bank_accounts')}

  ${tenantTable(
    'cost_centers',
    'Cost centres, to which entries can be assigned.',
    `
    code text not null, -- Code of the cost centre
    name text not null, -- Name of the cost centre
    active boolean not null default true, -- Whether it can be used
    constraint cost_centers_code_key unique (tenant_id, code)
  `,
  )}
  ${annotated('cost_centers')}

  ${tenantTable(
    'partner_groups',
    'Groups of partners, with the accounts that their members share.',
    `
    code text not null, -- Code of the group
    name text not null, -- Name of the group
    code_prefix text not null default '', -- Beginning of the codes that its new partners get
    is_customer boolean not null default false, -- Whether its members can be sold to
    is_vendor boolean not null default false, -- Whether its members can be bought from
    receivable_account_id uuid, -- Account of what they owe; null for the company's default
    payable_account_id uuid, -- Account of what they are owed; null for the company's default
    constraint partner_groups_code_key unique (tenant_id, code),
    ${reference('partner_groups', 'receivable_account_id', 'accounts')},
    ${reference('partner_groups', 'payable_account_id', 'accounts')}
  `,
  )}
  ${annotated('partner_groups')}

  ${tenantTable(
    'price_lists',
    'Price lists, each in one currency.',
    `
    code text not null, -- Code of the list
    name text not null, -- Name of the list
    currency char(3) not null, -- Currency of its prices, ISO 4217
    includes_tax boolean not null default false, -- Whether its prices include tax
    valid_from date, -- First day; null for no limit
    valid_to date, -- Last day; null for no limit
    active boolean not null default true, -- Whether it is in use
    constraint price_lists_code_key unique (tenant_id, code),
    constraint price_lists_valid_to_check check (valid_from <= valid_to)
  `,
  )}
  ${annotated('price_lists')}

  ${tenantTable(
    'partners',
    'Customers and suppliers.',
    `
    code text not null, -- Code of the partner
    name text not null, -- Legal name
    nif text, -- Tax number
    foreign_name text, -- Name in another language, or trade name
    phone text, -- Telephone number
    email text, -- Address for mail
    website text, -- Web address
    group_id uuid not null, -- Group that decides whether it is a customer or supplier
    country_code char(2) not null, -- Country, ISO 3166-1 alpha-2
    -- Days until its invoices are due, without payment terms
    payment_term_days integer not null default 0 check (payment_term_days between 0 and 3650),
    payment_method text, -- Usual way of payment
    iban text, -- IBAN of its bank account
    vat_regime text not null default 'general', -- How its documents are taxed: general, intra_eu, export and so on
    -- Percentage of income tax withheld on its invoices
    withholding_rate numeric(9,4) not null default 0 check (withholding_rate between 0 and 100),
    credit_limit numeric(20,6), -- Most that it may owe; null for no limit
    language text, -- Language of its documents
    active boolean not null default true, -- Whether new documents can name it
    custom jsonb not null default '{}', -- Values of custom fields, by storage key
    price_list_id uuid, -- List that its prices come from
    payment_terms_id uuid, -- Payment terms of its invoices
    first_payment_day integer check (first_payment_day between 1 and 31), -- Day of the month on which it pays
    second_payment_day integer check (second_payment_day between 1 and 31), -- Second such day
    -- Discount on invoices paid at once
    prompt_discount_percent numeric(7,4) check (prompt_discount_percent > 0 and prompt_discount_percent <= 100),
    -- Days within which that discount is given
    prompt_discount_days integer check (prompt_discount_days between 0 and 3650),
    constraint partners_code_key unique (tenant_id, code),
    constraint partners_nif_key unique (tenant_id, nif),
    ${reference('partners', 'group_id', 'partner_groups')},
    ${reference('partners', 'price_list_id', 'price_lists')},
    ${reference('partners', 'payment_terms_id', 'payment_terms')}
  `,
  )}
  create index partners_name on partners (tenant_id, name);
  create index partners_group on partners (tenant_id, group_id);
  create index partners_price_list on partners (tenant_id, price_list_id) where price_list_id is not null;
  create index partners_payment_terms_id on partners (tenant_id, payment_terms_id)
    where payment_terms_id is not null;
  ${customFields('partners', 'BusinessPartner')}
  ${annotated('partners')}

  ${tenantTable(
    'partner_addresses',
    'Addresses of partners.',
    `
    partner_id uuid not null, -- Partner that the address is of
    name text not null, -- Name of the address
    street text, -- Street and number
    city text, -- Town
    state text, -- Province or state
    zip_code text, -- Postal code
    country_code char(2), -- Country, ISO 3166-1 alpha-2
    type char(1) not null check (type in ('B', 'S')), -- B (billing) or S (shipping)
    is_default boolean not null default false, -- Whether documents use it unless another is chosen
    ${reference('partner_addresses', 'partner_id', 'partners')}
  `,
  )}
  create index partner_addresses_partner on partner_addresses (tenant_id, partner_id);
  create unique index partner_addresses_is_default_key on partner_addresses (tenant_id, partner_id, type)
    where is_default;

  ${tenantTable(
    'projects',
    'Projects, to which documents and entries can be assigned.',
    `
    code text not null, -- Code of the project
    name text not null, -- Name of the project
    active boolean not null default true, -- Whether it can be used
    partner_id uuid, -- Customer of the project
    budget numeric(20,6) check (budget >= 0), -- Planned cost, in the company's currency
    constraint projects_code_key unique (tenant_id, code),
    ${reference('projects', 'partner_id', 'partners')}
  `,
  )}
  create index projects_partner on projects (tenant_id, partner_id);
  ${annotated('projects')}
`;
