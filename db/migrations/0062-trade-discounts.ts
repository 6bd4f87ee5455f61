import { describe } from './schema.ts';

const OF_DOCUMENTS = `
    discount_percent numeric(9,4), -- Discount of the whole document as a percentage; null if none is given, or an amount
    discount_amount numeric(20,6), -- Discount of the whole document as an amount`;
const OF_LINES = `
    second_discount_percent numeric(9,4) not null default 0, -- Percentage deducted from what the first discount leaves
    document_discount numeric(20,6) not null default 0, -- Share of the document's discount, with tax where the price includes it`;

/** Discounts of whole documents, and second ones of lines. */
export const up = `
  alter table documents add column discount_percent numeric(9,4), add column discount_amount numeric(20,6);
  alter table document_lines add column second_discount_percent numeric(9,4) not null default 0,
    add column document_discount numeric(20,6) not null default 0;
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
`;
