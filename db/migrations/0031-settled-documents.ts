/**
 * An invoice of nothing is paid as it stands. What is credited is set off against invoices without money: a payment of 0 whose
 * applications add up to nothing.
 */
export const up = `
  -- The owner changes the rows of all tenants.
  alter table documents no force row level security;
  update documents set payment_status = 'paid', status = 'C', version = version + 1
    where doc_type in ('SINV', 'PINV') and status = 'O' and total = 0 and paid_total = 0;
  update documents set payment_status = 'overpaid', status = 'C', version = version + 1
    where doc_type in ('SINV', 'PINV') and status = 'O' and total = 0 and paid_total > 0;
  alter table documents force row level security;

  alter table payments drop constraint payments_amount_check, drop constraint payments_payment_method_check;
  alter table payments
    add constraint payments_payment_method_check
      check (payment_method in ('transfer', 'cash', 'card', 'cheque', 'effects', 'direct_debit', 'voucher', 'offset')),
    add constraint payments_amount_check check (case payment_method when 'offset' then amount = 0 else amount > 0 end);
  create index payments_offsets on payments (tenant_id, date desc, id desc) where payment_method = 'offset';
`;
