/** What a client may send to set stock right or to move it (decisions, section 4 "stock"); checked by schema before it gets here. */

export interface AdjustmentLineInput {
  readonly itemId: string;
  readonly batchNum?: string;
  /** Of a batch that is found for the first time. */
  readonly expiryDate?: string;
  /** What is really there, in the item's own unit. */
  readonly countedQuantity: number;
  /** The head's when absent. */
  readonly zoneId?: string;
}

export interface AdjustmentInput {
  readonly warehouseId: string;
  readonly zoneId?: string;
  readonly reason?: string;
  /** Today, in the tenant's time zone, when absent. */
  readonly date?: string;
  readonly lines: readonly AdjustmentLineInput[];
}

export interface TransferLineInput {
  readonly itemId: string;
  /** In the item's own unit. */
  readonly quantity: number;
  /** First expired first out when absent. */
  readonly batchNum?: string;
  readonly zoneId?: string;
  readonly toZoneId?: string;
}

export interface TransferInput {
  readonly warehouseId: string;
  readonly zoneId?: string;
  /** The same warehouse when absent. */
  readonly toWarehouseId?: string;
  readonly toZoneId?: string;
  readonly reason?: string;
  readonly date?: string;
  readonly lines: readonly TransferLineInput[];
}
