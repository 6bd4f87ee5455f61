/** Checks what the migration before has allowed. */
export const up = `
  alter table journal_lines validate constraint journal_lines_tax_kind_check;
  alter table journal_lines validate constraint journal_lines_pending_tax_id_fkey;
`;
