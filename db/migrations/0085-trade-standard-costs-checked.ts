/** Checks what the migration before has allowed. */
export const up = `
  alter table items validate constraint items_cost_method_check;
  alter table categories validate constraint categories_cost_method_check;
`;
