/** Checks what the migration before has allowed. */
export const up = `
  alter table periods validate constraint periods_locked_areas_check;
`;
