/** Facts on recipients of pay that the tax agency asks for (model 190), and whether they moved house for the work. */
export const up = `
  alter table employee_tax_data add column province text,
    add column spouse_nif text,
    add column geographic_mobility boolean not null default false,
    add column subkey text,
    add constraint employee_tax_data_province_check check (province ~ '^[0-9]{2}$') not valid,
    add constraint employee_tax_data_subkey_check check (subkey in ('01', '02', '03', '04')) not valid;
  comment on column employee_tax_data.province is 'Province of their home: the first two digits of its postal code';
  comment on column employee_tax_data.spouse_nif is 'Tax id of a spouse of low income';
  comment on column employee_tax_data.geographic_mobility is
    'Whether they were unemployed and have moved house for this work, in this year or the one before';
  comment on column employee_tax_data.subkey is 'Subkey of model 190 of administrators and authors';

  alter table partners add column withholding_subkey text,
    add constraint partners_withholding_subkey_check
      check (withholding_subkey in ('01', '02', '03', '04', '05', '06', '07')) not valid;
  comment on column partners.withholding_subkey is 'Subkey of model 190 by which what is withheld from them is declared';
`;
