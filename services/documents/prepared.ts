/** A document with everything decided but its number: the result of resolve.ts, the input of insert.ts. */
import type { DocumentTotals } from '../../domain/documents/totals.ts';
import type { DocType, DocumentStatus } from '../../domain/documents/types.ts';
import type { Decimal } from '../../domain/money.ts';
import type { BatchDetail, PostalAddress } from './input.ts';
import type { PartnerReference } from './references.ts';

/** What a line is, before and after it is stored. */
export interface DocumentLine {
  readonly id: string;
  readonly lineNumber: number;
  readonly itemId: string | null;
  readonly description: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  readonly taxGroupId: string;
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  readonly amount: Decimal;
  readonly warehouseId: string | null;
  readonly zoneId: string | null;
  readonly uomId: string | null;
  readonly uomFactor: Decimal;
  /** In the item's own unit. */
  readonly baseQuantity: Decimal;
  readonly batchDetails: readonly BatchDetail[] | null;
  readonly allowExpired: boolean;
  /** Null = the document's. */
  readonly vatRegime: string | null;
  readonly vatUse: string;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly baseType: string | null;
  readonly baseId: string | null;
  readonly baseLineId: string | null;
  readonly pluginData: Readonly<Record<string, unknown>> | null;
}

export interface PreparedLine extends DocumentLine {
  readonly taxCode: string;
  /** Whether the item's stock is kept. */
  readonly stockTracked: boolean;
}

/** What the head of a document says, before and after it is stored. */
export interface DocumentHead {
  readonly id: string;
  readonly docType: DocType;
  readonly status: DocumentStatus;
  readonly seriesId: string;
  readonly seriesPrefix: string;
  readonly periodId: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly warehouseId: string | null;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly notes: string | null;
  /** Never printed. */
  readonly internalNotes: string | null;
  readonly tags: readonly string[];
  readonly billingAddress: PostalAddress | null;
  readonly shippingAddress: PostalAddress | null;
  readonly vatRegime: string;
  readonly withholdingRate: Decimal;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** The invoice that it corrects. */
  readonly rectifies: string | null;
  /** The note whose goods it takes back. */
  readonly returns: string | null;
  readonly reason: string | null;
  readonly returnStock: boolean;
  /** Whether it stands in a series of rectifying invoices. */
  readonly rectifying: boolean;
  readonly currency: string;
}

export interface PreparedDocument extends DocumentHead {
  readonly partner: PartnerReference;
  readonly totals: DocumentTotals;
  readonly lines: readonly PreparedLine[];
}
