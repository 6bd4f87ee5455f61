/** Areas that are locked in a period before it is closed. */
export const up = `
  alter table periods add column locked_areas text[] not null default '{}',
    add constraint periods_locked_areas_check
      check (locked_areas <@ array['sales', 'purchases', 'bank', 'payroll', 'stock', 'all']) not valid;
  comment on column periods.locked_areas is
    'Areas in which nothing dated in the period is accepted: sales, purchases, bank, payroll, stock; all for everything';
`;
