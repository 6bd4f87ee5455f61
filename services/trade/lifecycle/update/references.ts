/** References of a document that is being changed: what it already uses stays usable. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { excessQuantity, statusByProgress } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../../../domain/trade/documents/types.ts';
import { loadReferences } from '../../documents/resolve/load-references.ts';
import type { BaseDocument, References } from '../../documents/resolve/references.ts';
import type { DocumentInput } from '../../documents/schemas.ts';
import type { LineRow, LoadedDocument } from '../../documents/stored.ts';

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
  if (named || date === row.date || series === null || series.year === null || series.year === fiscalYear) {
    return { input, references: ownReferences(document, references) };
  }
  const { seriesId: _, ...undecided } = input;
  const again = await loadReferences(trx, ctx, row.docType, undecided);
  return { input: undecided, references: ownReferences(document, again) };
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
    costCenters: usable(references.costCenters, lineIds('costCenterId').add(row.costCenterId)),
    bases: basesWithout(DOCUMENT_TYPES[row.docType].kind, lines, references.bases),
  };
}

function usable<T extends { readonly id: string; readonly active: boolean }>(
  found: ReadonlyMap<string, T>,
  named: ReadonlySet<string | null>,
): ReadonlyMap<string, T> {
  return new Map([...found].map(([id, row]) => [id, named.has(id) ? { ...row, active: true } : row]));
}

function basesWithout(
  kind: DocumentKind,
  lines: readonly LineRow[],
  bases: ReadonlyMap<string, BaseDocument>,
): ReadonlyMap<string, BaseDocument> {
  const own = new Map<string, Decimal>();
  for (const { baseLineId, quantity } of lines) {
    if (baseLineId !== null)
      own.set(
        baseLineId,
        decimal(own.get(baseLineId) ?? 0)
          .plus(quantity)
          .toFixed(),
      );
  }
  const [step, member] =
    kind === 'invoice' ? (['invoice', 'invoicedQuantity'] as const) : (['deliver', 'deliveredQuantity'] as const);
  return new Map(
    [...bases].map(([id, base]) => {
      if (!base.lines.some((line) => own.has(line.id))) return [id, base];
      const baseKind = DOCUMENT_TYPES[base.docType].kind;
      const left = base.lines.map((line) => {
        const mine = own.get(line.id);
        if (mine === undefined) return line;
        // Returns since the draft was created do not reduce what the draft has taken.
        const over = decimal(excessQuantity(step, baseKind, line));
        const others = decimal(line[member]).minus(mine);
        return { ...line, [member]: (over.gt(0) ? others.minus(over) : others).toFixed() };
      });
      return [id, { ...base, lines: left, status: statusByProgress(baseKind, left) }];
    }),
  );
}
