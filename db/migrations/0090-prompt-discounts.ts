/** What is off an invoice that is paid within some days: a term of the partner, taken over by its invoices. */
export const up = `
  alter table partners
    add column prompt_discount_percent numeric(7,4) check (prompt_discount_percent > 0 and prompt_discount_percent <= 100),
    add column prompt_discount_days integer check (prompt_discount_days between 0 and 3650);
  alter table documents
    add column prompt_discount_percent numeric(7,4),
    add column prompt_discount_until date;
`;
