/** Budgets whose control counts what is ordered, and compares purchase orders too. */
export const up = `
  alter table budgets add column count_commitments boolean not null default false;
  comment on column budgets.count_commitments is 'Whether control counts what is ordered or received and not entered yet';
`;
