/** Checks what the migration before has allowed. */
export const up = `
  alter table employee_tax_data validate constraint employee_tax_data_province_check;
  alter table employee_tax_data validate constraint employee_tax_data_subkey_check;
  alter table partners validate constraint partners_withholding_subkey_check;
`;
