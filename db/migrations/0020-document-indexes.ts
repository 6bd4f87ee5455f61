/** What refers to taxes, units and warehouses is found without reading all documents: asked when one of them is deleted or its use is shown. */
export const up = `
  create index document_lines_tax_group on document_lines (tenant_id, tax_group_id);
  create index document_lines_uom on document_lines (tenant_id, uom_id) where uom_id is not null;
  create index documents_warehouse on documents (tenant_id, warehouse_id) where warehouse_id is not null;
`;
