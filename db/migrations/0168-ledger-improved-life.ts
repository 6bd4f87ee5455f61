/** How an improvement changes the useful life of a fixed asset, so that it can be undone. */
export const up = `
  alter table asset_movements add column useful_life_months integer not null default 0;
  comment on column asset_movements.useful_life_months is 'Change of the useful life in months, by an improvement';
`;
