/** What cannot be deducted of the tax of purchases is kept with their lines. Migration 0092 brings that of earlier ones. */
export const up = `
  alter table documents add column pro_rata numeric(9,4),
    add constraint documents_pro_rata_check check (pro_rata between 0 and 100) not valid;
  alter table document_lines
    add column deductible_percent numeric(9,4),
    add column lost_tax numeric(20,6) not null default 0,
    add constraint document_lines_deductible_percent_check check (deductible_percent between 0 and 100) not valid;
  alter table journal_lines add column tax_subject numeric(20,6);
`;
