/** What a disposal of a part of a fixed asset takes of the values that its depreciation rests on. */
export const up = `
  alter table asset_movements add column residual_value numeric(20,6) not null default 0,
    add column initial_cost numeric(20,6) not null default 0;
  comment on column asset_movements.residual_value is 'Change of the residual value, by the disposal of a part';
  comment on column asset_movements.initial_cost is 'Change of the initial cost, likewise';
`;
