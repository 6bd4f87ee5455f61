/** What a client may send to create a document (decisions, section 4 "Documents"); checked by schema before it gets here. */
import type { BatchDetail, PostalAddress } from '../../db/models/documents.ts';

export type { BatchDetail, PostalAddress };

export interface DocumentLineInput {
  readonly itemId?: string;
  readonly description?: string;
  readonly quantity: number;
  readonly price?: number;
  readonly discountPercent?: number;
  readonly taxGroupId?: string;
  readonly warehouseId?: string;
  readonly zoneId?: string;
  /** A unit of the item; its own when absent. */
  readonly uomId?: string;
  /** How many of the item's own unit one is in this line; else as the item says. */
  readonly uomFactor?: number;
  readonly batchDetails?: readonly BatchDetail[];
  /** Lets named batches leave though they have expired. */
  readonly allowExpired?: boolean;
  readonly vatUse?: string;
  readonly accountId?: string;
  readonly projectId?: string;
  readonly costCenterId?: string;
  /** SO, SDN, PO or PDN; SINV or PINV where that is rectified. */
  readonly baseType?: string;
  readonly baseId?: string;
  /** Else the first line of the base with that item that is still open. */
  readonly baseLineId?: string;
  readonly vatRegime?: string;
  readonly pluginData?: Readonly<Record<string, unknown>>;
}

export interface DocumentInput {
  readonly seriesId?: string;
  readonly periodId?: string;
  readonly partnerId: string;
  /** Today, in the tenant's time zone, when absent. */
  readonly date?: string;
  /** From the partner's payment terms when absent. */
  readonly dueDate?: string;
  readonly warehouseId?: string;
  readonly reference?: string;
  readonly supplierReference?: string;
  readonly notes?: string;
  /** Never printed. */
  readonly internalNotes?: string;
  readonly tags?: readonly string[];
  readonly billingAddress?: PostalAddress;
  readonly shippingAddress?: PostalAddress;
  readonly vatRegime?: string;
  readonly withholdingRate?: number;
  readonly projectId?: string;
  readonly costCenterId?: string;
  /** The posted invoice that this one corrects; quantities may be negative then. */
  readonly rectifies?: string;
  /** The note whose goods come back; quantities are negative then. Set by the return itself, not by clients. */
  readonly returns?: string;
  /** Why it is rectified or returned. */
  readonly reason?: string;
  /** Whether the goods of a rectifying invoice move back when it is posted. */
  readonly returnStock?: boolean;
  readonly lines: readonly DocumentLineInput[];
  /** The custom fields of the document's type; their values are checked against the definitions. */
  readonly [name: `custom_${string}`]: unknown;
}
