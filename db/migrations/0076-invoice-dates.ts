/** Invoices of suppliers have a date of their own: until now the one on which they were entered. */
export const up = `
  -- The owner changes the rows of all tenants.
  alter table documents no force row level security;
  alter table documents add column document_date date, add column operation_date date;
  update documents set document_date = date where doc_type = 'PINV';
  alter table documents force row level security;
`;
