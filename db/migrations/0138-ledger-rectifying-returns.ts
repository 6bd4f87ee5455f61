/** Returns that rectify an earlier one of the same period. */
export const up = `
  alter table tax_returns
    add column sequence integer not null default 0,
    add column receipt_number text,
    add column reason text,
    add constraint tax_returns_sequence_check check (sequence >= 0 and (sequence = 0) = (receipt_number is null)) not valid,
    add constraint tax_returns_reason_check check (reason in ('correction', 'criterion')) not valid;
  comment on column tax_returns.sequence is '0 for the first return of a period, 1 for the one that rectifies it, and so on';
  comment on column tax_returns.receipt_number is 'Receipt number of the return that it rectifies; null for the first one';
  comment on column tax_returns.reason is 'correction, or criterion for a disputed view of the agency; null if the form does not ask';
`;
