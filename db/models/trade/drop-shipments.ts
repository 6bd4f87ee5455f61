import { uuid } from '../columns.ts';
import { table } from '../table.ts';

/** A line of a purchase order whose goods the supplier sends to the customer of a sales order. */
export class DropShipmentLine extends table('drop_shipment_lines', {
  purchaseLineId: uuid(),
  salesLineId: uuid(),
}) {}
