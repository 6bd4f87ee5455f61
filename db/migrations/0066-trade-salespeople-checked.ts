/** Checks what the migration before has allowed. */
export const up = `
  alter table partners validate constraint partners_salesperson_id_fkey;
  alter table documents validate constraint documents_salesperson_id_fkey;
  alter table document_lines validate constraint document_lines_salesperson_id_fkey;
`;
