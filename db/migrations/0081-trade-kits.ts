import { describe } from './schema.ts';

const OF_ITEMS = `
    kit boolean not null default false, -- Whether it is sold as its components, and has no stock itself`;
const OF_LINES = `
    components jsonb, -- Components of a kit with their quantities in one of it; null for all other lines`;
const OF_CATEGORIES = `
    cost_method text, -- Costing method of new items, average or fifo; null for that of the category above`;

/** Kits, whose sale moves their components, and costing methods of categories. */
export const up = `
  alter table items add column kit boolean not null default false;
  alter table document_lines add column components jsonb;
  alter table categories add column cost_method text constraint categories_cost_method_check check (cost_method in ('average', 'fifo'));
  ${describe('items', 'Goods and services that are bought and sold.', OF_ITEMS)}
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
  ${describe('categories', 'Categories of items, in a tree.', OF_CATEGORIES)}
`;
