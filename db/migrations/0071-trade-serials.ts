import { describe } from './schema.ts';

const OF_ITEMS = `
    serial_tracked boolean not null default false, -- Whether each piece has a serial number: a batch of one
    warranty_months integer, -- Months of warranty from the sale on`;

/** Serial numbers: batches of one piece each. */
export const up = `
  alter table items add column serial_tracked boolean not null default false,
    add column warranty_months integer constraint items_warranty_months_check check (warranty_months between 1 and 600);
  ${describe('items', 'Goods and services that are bought and sold.', OF_ITEMS)}
`;
