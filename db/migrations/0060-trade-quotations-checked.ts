/** Checks what the migration before has allowed. */
export const up = `
  alter table documents validate constraint documents_doc_type_check;
  alter table documents validate constraint documents_status_check;
  alter table series validate constraint series_doc_type_check;
`;
