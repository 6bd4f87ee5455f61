/** Lines can have a withholding of their own; those of earlier releases have their document's. */
export const up = `
  alter table document_lines add column withholding_rate numeric(9,4) check (withholding_rate between 0 and 100);
`;
