import { tenantTable } from './schema.ts';

/** Mails are counted when they go out: for each company, and for each address over all companies. */
export const up = `
  ${tenantTable(
    'mail_sendings',
    'Mails that went out lately, by recipient. They are counted to limit them, and kept for a day.',
    `
    email_id uuid not null, -- Mail
    budget text not null, -- Kinds of mails that are counted together
    address text not null, -- Recipient, in one spelling
    sent_at timestamptz not null, -- When it first went out
    constraint mail_sendings_once unique (tenant_id, email_id, address)
  `,
    { versioned: false, grants: 'select, insert', systemGrants: 'select, insert, delete' },
  )}
  create index mail_sendings_of_address on mail_sendings (address, budget, sent_at);
  create index mail_sendings_of_company on mail_sendings (tenant_id, budget, sent_at);
  create index mail_sendings_age on mail_sendings (sent_at);
`;
