import { reference, tenantTable } from './schema.ts';

/** Links by which customers see their account. */
export const up = tenantTable(
  'customer_links',
  'Links by which customers see their account, one for each.',
  `
    partner_id uuid not null, -- Customer
    nonce text not null, -- Random part of the link; another one ends the links before
    expires_at timestamptz, -- When the link ends; null for no end
    last_opened_at timestamptz, -- When it was opened last, on that day for the first time
    created_by uuid, -- User who made it
    constraint customer_links_partner_id_key unique (tenant_id, partner_id),
    ${reference('customer_links', 'partner_id', 'partners', 'on delete cascade')}
  `,
);
