/** Dust of divided quantities is removed by movements of its own. What lies there goes with the next goods that leave its place. */
export const up = `
  alter table stock_movements add column rounding boolean not null default false;
`;
