/**
 * How many lines a balance sums: a page of the ledger begins where they say. Earlier balances get theirs with the next migration; a process
 * of an earlier release, which would not count, can neither add nor change a balance, and leaves its entries to be summed.
 */
export const up = `
  alter table journal_balances add lines integer;
  alter table journal_balances add constraint journal_balances_lines_check check (lines is not null) not valid;
`;
