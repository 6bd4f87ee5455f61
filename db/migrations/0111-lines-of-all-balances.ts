/** All balances have been counted: the check knows so without reading them. */
export const up = `
  alter table journal_balances validate constraint journal_balances_lines_check;
  alter table journal_balances alter lines set not null;
  alter table journal_balances drop constraint journal_balances_lines_check;
`;
