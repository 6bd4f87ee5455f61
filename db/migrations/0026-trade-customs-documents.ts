/** Stores the customs document of imported goods with the supplier's invoice. */
export const up = `
  alter table documents add column customs_document jsonb,
    add constraint documents_customs_document_check check (customs_document is null or doc_type = 'PINV') not valid;
  comment on column documents.customs_document is
    'Purchase invoices of imported goods: number, date, base, vatAmount and deferred of the customs document; amounts as text';
`;
