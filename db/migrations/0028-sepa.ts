import { reference, tenantTable } from './schema.ts';

/** SEPA: mandates of customers, and the orders that the bank was given, with their files. */
export const up = `
  ${tenantTable(
    'sepa_mandates',
    `partner_id uuid not null,
     reference text not null,
     signed_on date not null,
     scheme text not null check (scheme in ('CORE', 'B2B')),
     one_off boolean not null,
     iban text not null,
     bic text,
     active boolean not null,
     constraint sepa_mandates_reference unique (tenant_id, reference),
     ${reference('sepa_mandates', 'partner_id', 'partners')}`,
  )}
  create index sepa_mandates_partner on sepa_mandates (tenant_id, partner_id);

  ${tenantTable(
    'sepa_orders',
    `kind text not null check (kind in ('credit_transfers', 'direct_debits')),
     message_id text not null,
     message text not null,
     bank_account_id uuid not null,
     date date not null,
     count integer not null,
     total numeric(20,6) not null,
     file_id uuid not null,
     ${reference('sepa_orders', 'bank_account_id', 'bank_accounts')},
     ${reference('sepa_orders', 'file_id', 'files')}`,
  )}
  create index sepa_orders_list on sepa_orders (tenant_id, id desc);

  -- What is paid or collected; a payment that is deleted stays in the file that was made.
  ${tenantTable(
    'sepa_order_items',
    `order_id uuid not null,
     position integer not null,
     end_to_end_id text not null,
     amount numeric(20,6) not null,
     payment_id uuid,
     document_id uuid,
     mandate_id uuid,
     constraint sepa_order_items_position unique (tenant_id, order_id, position),
     ${reference('sepa_order_items', 'order_id', 'sepa_orders')},
     ${reference('sepa_order_items', 'payment_id', 'payments', 'on delete set null (payment_id)')},
     ${reference('sepa_order_items', 'document_id', 'documents')},
     ${reference('sepa_order_items', 'mandate_id', 'sepa_mandates')}`,
  )}
  create index sepa_order_items_payment on sepa_order_items (tenant_id, payment_id) where payment_id is not null;
  create index sepa_order_items_document on sepa_order_items (tenant_id, document_id) where document_id is not null;
  create index sepa_order_items_mandate on sepa_order_items (tenant_id, mandate_id) where mandate_id is not null;
`;
