/** Disability, ascendants and special percentages, on which the income tax on wages depends too. */
export const up = `
  alter table employee_tax_data add column disability integer not null default 0,
    add column needs_help boolean not null default false,
    add column disabled_children jsonb not null default '[]',
    add column ascendants jsonb not null default '[]',
    add column withholding text not null default 'ordinary',
    add column ceuta_or_melilla boolean not null default false,
    add constraint employee_tax_data_disability_check check (disability in (0, 33, 65)) not valid,
    add constraint employee_tax_data_withholding_check
      check (withholding in ('ordinary', 'special_relation', 'administrator', 'small_administrator', 'author')) not valid;
  comment on column employee_tax_data.disability is 'Degree of disability from which the tax is less: 0, 33 or 65 percent';
  comment on column employee_tax_data.needs_help is 'Whether they need help of others or have reduced mobility';
  comment on column employee_tax_data.disabled_children is 'Disabilities of their children';
  comment on column employee_tax_data.ascendants is
    'Parents and grandparents at home: year of birth, disability, by how many they are shared';
  comment on column employee_tax_data.withholding is
    'ordinary, special_relation, administrator, small_administrator or author: by which rule tax is withheld';
  comment on column employee_tax_data.ceuta_or_melilla is 'Whether the pay is income of Ceuta or Melilla';
`;
