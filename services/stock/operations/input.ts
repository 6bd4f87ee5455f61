/** What clients may send to count or transfer stock; the schema has already been checked. */

export interface AdjustmentLineInput {
  readonly itemId: string;
  readonly batchNum?: string;
  /** Of a batch that is found for the first time. */
  readonly expiryDate?: string;
  /** What is actually on hand, in the item's own unit. */
  readonly countedQuantity: number;
  /** Defaults to the head's. */
  readonly zoneId?: string;
}

export interface AdjustmentInput {
  readonly warehouseId: string;
  readonly zoneId?: string;
  readonly reason?: string;
  /** Defaults to today, in the company's time zone. */
  readonly date?: string;
  readonly lines: readonly AdjustmentLineInput[];
}

export interface TransferLineInput {
  readonly itemId: string;
  /** In the item's own unit. */
  readonly quantity: number;
  /** First expired, first out when absent. */
  readonly batchNum?: string;
  readonly zoneId?: string;
  readonly toZoneId?: string;
}

export interface TransferInput {
  readonly warehouseId: string;
  readonly zoneId?: string;
  /** Defaults to the same warehouse. */
  readonly toWarehouseId?: string;
  readonly toZoneId?: string;
  readonly reason?: string;
  readonly date?: string;
  readonly lines: readonly TransferLineInput[];
}
