/** Types of rectifying invoices, as records for the tax agency state them. */
export const up = `
  alter table documents add column rectification_type text check (rectification_type in ('R1', 'R2', 'R3', 'R4'));
  comment on column documents.rectification_type is
    'Rectifying invoices: type of their record (list L2 of Veri*factu); null for R1, or R5 of a simplified invoice';
`;
