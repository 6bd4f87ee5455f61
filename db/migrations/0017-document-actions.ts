/**
 * What closing an order gives up, line by line, so that a note cancelled later reopens just its own quantities. Movements outlive
 * a receipt that is deleted: they keep its id, which the audit log explains.
 */
export const up = `
  alter table document_lines add column closed_quantity numeric(20,6) not null default 0 check (closed_quantity >= 0);
  alter table stock_movements drop constraint stock_movements_document_id_fkey;
`;
