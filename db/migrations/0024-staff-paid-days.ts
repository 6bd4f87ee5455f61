/** Unpaid leave of half a day leaves a fraction of a paid day. */
export const up = `
  alter table payrolls add column paid_days numeric(6,2);
  comment on column payrolls.paid_days is 'Days paid, with their fractions; null: as days, which has them rounded up';
`;
