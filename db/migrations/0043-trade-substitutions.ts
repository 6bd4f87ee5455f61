/** How rectifying invoices rectify. */
export const up = `
  alter table documents add column rectification_method text check (rectification_method in ('substitution'));
  comment on column documents.rectification_method is
    'Rectifying invoices: substitution if it takes back all that the other charged and states it anew; null for the differences alone';
`;
