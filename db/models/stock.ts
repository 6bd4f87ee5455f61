/** What is kept about stock besides levels and movements. */
import { TenantModel } from './base.ts';

/** Goods of one item that were made together. It comes into being with the first of them. */
export class Batch extends TenantModel {
  static override tableName = 'batches';
  static override entityType = 'Batch';
  declare itemId: string;
  declare batchNum: string;
  /** Last day on which it may be delivered; null = no limit. */
  declare expiryDate: string | null;
  /** Pending ones are not for sale. */
  declare status: 'pending' | 'confirmed';
}
