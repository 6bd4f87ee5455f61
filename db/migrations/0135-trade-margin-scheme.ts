import { describe } from './schema.ts';

const OF_LINES = `
    margin_cost numeric(20,6) -- Of a sale under the margin scheme: what was paid for its goods, with tax`;

/** Sales of used goods whose VAT is on the margin. */
export const up = `
  alter table document_lines add column ${OF_LINES.trim().split(' -- ')[0]};
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}
`;
