import { reference } from './schema.ts';

/** Receipts and transfers that come back: a payment of the other direction, which gives back what the returned one settled. */
export const up = `
  alter table payments
    add column returns uuid,
    -- What the bank charged for it, besides the amount, and who bears it.
    add column fees numeric(20,6) not null default 0,
    add column fees_borne_by text,
    add constraint payments_fees_check check (fees >= 0) not valid,
    add constraint payments_fees_borne_by_check check (fees_borne_by in ('company', 'partner')) not valid,
    add constraint payments_fees check ((fees = 0) = (fees_borne_by is null) and (returns is not null or fees = 0)) not valid,
    add ${reference('payments', 'returns', 'payments', 'not valid')};
  alter table payment_applications drop constraint payment_applications_settled_check;
  alter table payment_applications add constraint payment_applications_settled_check check (settled <> 0
    and abs(settled) = abs(amount + withholding + discount + write_off)) not valid;
  alter table bank_statement_lines add column return_reason text;
`;
