/** Marks invoices that were credited in full, so that their notes can be invoiced again. */
export const up = `
  alter table documents add column notes_released boolean not null default false;
  comment on column documents.notes_released is
    'Invoices of notes: whether these can be invoiced again because it was credited in full';
`;
