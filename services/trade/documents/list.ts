/** Definitions of the lists of documents. */
import { STATE } from '../../../db/queries/document-states.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { namedStatuses } from '../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { VAT_REGIMES } from '../../../domain/trade/documents/vat.ts';
import { documentSearch } from './read.ts';

/** Whether an invoice has imported goods, whose VAT is in no return until its customs document is added (decision 0244). */
const AWAITS_CUSTOMS = `(d.customs_document is null and d.posted_at is not null and d.status <> ${STATE.cancelled} and exists (
  select from journal_entries e join journal_lines t on t.entry_id = e.id
  where e.source_type = 'purchase_invoice' and e.source_id = d.id and t.tax_operation = 'import'))`;

/** Filters, sort orders and search of the list of a document type; newest first. */
export function documentList(docType: DocType): ListDefinition {
  const { kind, side } = DOCUMENT_TYPES[docType];
  return {
    fields: {
      id: { type: 'uuid', column: 'd.id', sortable: false },
      number: { type: 'integer', column: 'd.number' },
      code: { type: 'text', column: 'd.code', searchable: true },
      status: { type: 'choice', column: 'd.status', choices: namedStatuses(docType) },
      ...(kind === 'invoice'
        ? ({
            paymentStatus: {
              type: 'choice',
              column: 'd.payment_status',
              choices: ['pending', 'partial', 'paid', 'overpaid'],
            },
          } as const)
        : {}),
      ...(kind === 'invoice'
        ? ({
            rectifies: { type: 'uuid', column: 'd.rectifies' },
            rectifying: { type: 'boolean', column: 's.rectifying', joined: true },
          } as const)
        : {}),
      ...(kind === 'delivery_note' ? ({ returns: { type: 'uuid', column: 'd.returns' } } as const) : {}),
      partnerId: { type: 'uuid', column: 'd.partner_id' },
      partnerCode: { type: 'text', column: 'p.code', joined: true, searchable: true },
      partnerNif: { type: 'text', column: 'p.nif', joined: true, searchable: true },
      partnerName: { type: 'text', column: 'p.name', joined: true, searchable: true },
      date: { type: 'date', column: 'd.date', notNull: true },
      ...(kind === 'invoice' ? ({ operationDate: { type: 'date', column: 'd.operation_date' } } as const) : {}),
      ...(kind === 'invoice' && side === 'purchase'
        ? ({
            documentDate: { type: 'date', column: 'd.document_date', notNull: true },
            awaitsCustoms: { type: 'boolean', column: AWAITS_CUSTOMS, sortable: false },
          } as const)
        : {}),
      ...(kind === 'quotation'
        ? ({
            validUntil: { type: 'date', column: 'd.valid_until' },
            revision: { type: 'integer', column: 'd.revision' },
            decidedAt: { type: 'instant', column: 'd.decided_at' },
          } as const)
        : {}),
      dueDate: { type: 'date', column: 'd.due_date' },
      ...(kind === 'order' || kind === 'quotation'
        ? ({ deliveryDate: { type: 'date', column: 'd.delivery_date' } } as const)
        : {}),
      paymentTermsId: { type: 'uuid', column: 'd.payment_terms_id' },
      seriesId: { type: 'uuid', column: 'd.series_id' },
      periodId: { type: 'uuid', column: 'd.period_id' },
      warehouseId: { type: 'uuid', column: 'd.warehouse_id' },
      reference: { type: 'text', column: 'd.reference', searchable: true },
      ...(side === 'purchase'
        ? ({ supplierReference: { type: 'text', column: 'd.supplier_reference', searchable: true } } as const)
        : {}),
      notes: { type: 'text', column: 'd.notes', sortable: false },
      internalNotes: { type: 'text', column: 'd.internal_notes', sortable: false },
      tags: { type: 'choices', column: "nullif(d.tags, '[]')", sortable: false },
      projectId: { type: 'uuid', column: 'd.project_id' },
      costCenterId: { type: 'uuid', column: 'd.cost_center_id' },
      ...(docType === 'SINV' ? ({ dunningPaused: { type: 'boolean', column: 'd.dunning_paused' } } as const) : {}),
      ...(side === 'sales' ? ({ salespersonId: { type: 'uuid', column: 'd.salesperson_id' } } as const) : {}),
      currency: { type: 'text', column: 'd.currency' },
      vatRegime: { type: 'choice', column: 'd.vat_regime', choices: VAT_REGIMES },
      discountPercent: { type: 'number', column: 'd.discount_percent' },
      discountAmount: { type: 'number', column: 'd.discount_amount' },
      chargeAmount: { type: 'number', column: 'd.charge_amount' },
      subtotal: { type: 'number', column: 'd.subtotal' },
      discountTotal: { type: 'number', column: 'd.discount_total' },
      taxTotal: { type: 'number', column: 'd.tax_total' },
      withholdingAmount: { type: 'number', column: 'd.withholding_amount' },
      total: { type: 'number', column: 'd.total', notNull: true },
      paidTotal: { type: 'number', column: 'd.paid_total' },
      outstanding: { type: 'number', column: '(d.total - d.paid_total)' },
      createdBy: { type: 'uuid', column: 'd.created_by' },
      createdAt: { type: 'instant', column: 'd.created_at' },
      updatedAt: { type: 'instant', column: 'd.updated_at', notNull: true },
      postedAt: { type: 'instant', column: 'd.posted_at' },
      cancelledAt: { type: 'instant', column: 'd.cancelled_at' },
      sentAt: { type: 'instant', column: 'd.sent_at' },
    },
    defaultSort: '-date',
    key: 'd.id',
    search: documentSearch(docType),
  };
}
