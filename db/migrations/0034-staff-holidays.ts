import { annotated, tenantTable } from './schema.ts';

/** Public holidays, everywhere or of one place, and the places where departments work. */
export const up = `
  ${tenantTable(
    'holidays',
    'Public holidays: those of the whole country, and those of each place.',
    `
    day date not null, -- Day
    name text not null, -- Name
    place text, -- Place whose holiday it is, as departments name it; null for one of all places
    constraint holidays_day_key unique nulls not distinct (tenant_id, day, place)
  `,
  )}
  ${annotated('holidays')}
  alter table departments add column place text;
  comment on column departments.place is 'Place where it works, whose holidays its people have';
`;
