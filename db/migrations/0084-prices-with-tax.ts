/** Lines can have a price with tax. Those of earlier releases keep theirs without, from which their totals were made. */
export const up = `
  alter table document_lines add column price_with_tax numeric(20,6);
`;
