import { describe } from './schema.ts';

const OF_DOCUMENTS = `
    charge_amount numeric(20,6), -- Charge for the whole document, such as freight
    charge_text text, -- Name of that charge`;
const OF_LINES = `
    document_charge numeric(20,6) not null default 0, -- Share of the document's charge, with tax where the price includes it`;

/** Charges of whole documents, such as freight. */
export const up = `
  alter table documents add column charge_amount numeric(20,6), add column charge_text text;
  alter table document_lines add column document_charge numeric(20,6) not null default 0;
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', OF_DOCUMENTS)}
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
`;
