/** References of a document that is being changed: what it already uses stays usable. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import {
  documentStep,
  excessQuantity,
  type Step,
  statusByProgress,
} from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { usable } from '../../documents/resolve/dimensions.ts';
import { loadReferences } from '../../documents/resolve/load-references.ts';
import type { BaseDocument, BaseLine, References } from '../../documents/resolve/references.ts';
import type { DocumentInput } from '../../documents/schemas.ts';
import type { DocumentRow, LineRow, LoadedDocument } from '../../documents/stored.ts';

/**
 * Loads the references of the changed document. A document that moves to another fiscal year switches to the default series there, since
 * nobody has seen its number yet.
 * @param named whether the change names the series
 */
export async function loadAgain(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  input: DocumentInput,
  named: boolean,
): Promise<{ readonly input: DocumentInput; readonly references: References }> {
  const { row } = document;
  const references = await loadReferences(trx, ctx, row.docType, input);
  const { series, fiscalYear, date } = references;
  // The default series would not be a rectifying one for a rebate, which names no invoice.
  const kept = named || date === row.date || (row.rectifying && row.rectifies === null);
  if (kept || series === null || series.year === null || series.year === fiscalYear) {
    return { input, references: ownReferences(document, references) };
  }
  const { seriesId: _, ...undecided } = input;
  const again = await loadReferences(trx, ctx, row.docType, undecided);
  return { input: undecided, references: ownReferences(document, again) };
}

/** The step that a document is for its bases. */
export function ownStep({ docType, returns, rectifying }: DocumentRow): Step {
  return documentStep(DOCUMENT_TYPES[docType].kind, { returns: returns !== null, rectifies: rectifying });
}

/** Keeps what the document already refers to usable, and reopens to it what it has taken from its bases. */
function ownReferences({ row, lines }: LoadedDocument, references: References): References {
  const lineIds = (member: keyof LineRow) => new Set(lines.map((line) => line[member] as string | null));
  const { partner } = references;
  return {
    ...references,
    partner: partner?.id === row.partner.id ? { ...partner, active: true } : partner,
    items: usable(references.items, lineIds('itemId')),
    warehouses: usable(references.warehouses, lineIds('warehouseId').add(row.warehouseId)),
    zones: usable(references.zones, lineIds('zoneId')),
    accounts: usable(references.accounts, lineIds('accountId')),
    projects: usable(references.projects, lineIds('projectId').add(row.projectId)),
    paymentTerms: usable(references.paymentTerms, new Set([row.paymentTermsId])),
    salespeople: usable(references.salespeople, lineIds('salespersonId').add(row.salespersonId)),
    costCenters: usable(references.costCenters, lineIds('costCenterId').add(row.costCenterId)),
    bases: basesWithout(ownStep(row), lines, references.bases),
  };
}

/** The quantity that each step takes of a base line. */
const TAKEN = {
  order: 'deliveredQuantity',
  deliver: 'deliveredQuantity',
  invoice: 'invoicedQuantity',
  return: 'returnedQuantity',
  rectify: 'returnedQuantity',
} as const satisfies Record<Step, keyof BaseLine>;

function basesWithout(
  step: Step,
  lines: readonly LineRow[],
  bases: ReadonlyMap<string, BaseDocument>,
): ReadonlyMap<string, BaseDocument> {
  const own = new Map<string, Decimal>();
  for (const { baseLineId, quantity } of lines) {
    if (baseLineId === null) continue;
    const size = decimal(quantity).abs();
    own.set(baseLineId, size.plus(own.get(baseLineId) ?? 0).toFixed());
  }
  const member = TAKEN[step];
  return new Map(
    [...bases].map(([id, base]) => {
      if (!base.lines.some((line) => own.has(line.id))) return [id, base];
      const { kind } = DOCUMENT_TYPES[base.docType];
      const left = base.lines.map((line) => {
        const mine = own.get(line.id);
        if (mine === undefined) return line;
        // Returns since the draft was created do not reduce what the draft has taken.
        const over = decimal(excessQuantity(step, kind, line));
        const others = decimal(line[member]).minus(mine);
        return { ...line, [member]: (over.gt(0) ? others.minus(over) : others).toFixed() };
      });
      return [id, { ...base, lines: left, status: kind === 'invoice' ? base.status : statusByProgress(kind, left) }];
    }),
  );
}
