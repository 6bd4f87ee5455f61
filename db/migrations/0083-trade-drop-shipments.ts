import { reference, tenantTable } from './schema.ts';

/** Goods that a supplier sends to a customer. */
export const up = `
  ${tenantTable(
    'drop_shipment_lines',
    'Lines of purchase orders whose goods the supplier sends to the customer of a sales order.',
    `
    purchase_line_id uuid not null, -- Line of the purchase order
    sales_line_id uuid not null, -- Line of the sales order
    constraint drop_shipment_lines_key unique (tenant_id, purchase_line_id),
    ${reference('drop_shipment_lines', 'purchase_line_id', 'document_lines', 'on delete cascade')},
    ${reference('drop_shipment_lines', 'sales_line_id', 'document_lines')}
  `,
    { versioned: false, grants: 'select, insert, delete' },
  )}
  create index drop_shipment_lines_sales on drop_shipment_lines (tenant_id, sales_line_id);
`;
