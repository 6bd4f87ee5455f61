/** The lines of a document, under the documents that they are based on. */
import { decimal } from '../../domain/money.ts';
import type { LineRow } from '../documents/present.ts';
import type { Paper } from './paper.ts';

/** Lines that follow one another with the same base. */
export interface LineGroup {
  /** Names the base; null for none, or where the document names the only one in its head. */
  readonly caption: string | null;
  readonly lines: readonly LineView[];
}

export type LineView = Readonly<
  Record<'code' | 'description' | 'quantity' | 'uom' | 'price' | 'discount' | 'tax' | 'amount', string>
> & {
  /** What it is made up of, each with number, expiry and quantity. */
  readonly batches: readonly string[];
};

export function lineGroups(paper: Paper): LineGroup[] {
  const captioned = onlyBase(paper) === null && paper.data.lines.some((line) => line.baseId !== null);
  const groups: { base: string | null; caption: string | null; lines: LineView[] }[] = [];
  for (const line of paper.data.lines) {
    let group = groups.at(-1);
    if (group === undefined || group.base !== line.baseId) {
      group = { base: line.baseId, caption: captioned ? baseName(paper, line.baseId) : null, lines: [] };
      groups.push(group);
    }
    group.lines.push(lineView(paper, line));
  }
  return groups.map(({ caption, lines }) => ({ caption, lines }));
}

/** The one document that all lines are based on, as a label and its code; null when there is none, or there are several. */
export function onlyBase({ data, texts }: Paper): { readonly label: string; readonly code: string } | null {
  const [id] = data.lines.map((line) => line.baseId);
  const base = id && data.lines.every((line) => line.baseId === id) ? data.bases[id] : undefined;
  return base?.code ? { label: texts.bases[base.docType], code: base.code } : null;
}

function baseName({ data, texts, formats }: Paper, id: string | null): string {
  const base = id === null ? undefined : data.bases[id];
  if (base === undefined) return texts.withoutBase;
  return `${texts.bases[base.docType]} ${base.code ?? ''} · ${formats.day(base.date)}`;
}

function lineView(paper: Paper, line: LineRow): LineView {
  const { data, formats } = paper;
  const extra = data.lineExtras[line.id];
  return {
    code: extra?.code ?? '',
    description: line.description,
    quantity: formats.quantity(line.quantity),
    uom: extra?.uom ?? '',
    price: formats.price(line.price),
    discount: decimal(line.discountPercent).eq(0) ? '' : formats.percent(line.discountPercent),
    tax: formats.percent(line.taxRate),
    amount: formats.amount(line.amount),
    batches: batchTexts(paper, line),
  };
}

/** The batches that have moved, in the line's unit; before that, those that were named. */
function batchTexts({ data, type, formats, texts }: Paper, line: LineRow): string[] {
  const moved = data.lineExtras[line.id]?.moved?.map((batch) => ({
    ...batch,
    quantity: decimal(batch.quantity).times(type.direction).div(line.uomFactor).toFixed(),
  }));
  return (moved ?? line.batchDetails ?? []).map(({ batchNum, expiryDate, quantity }) => {
    const expiry = expiryDate ? ` · ${texts.expires} ${formats.day(expiryDate)}` : '';
    return `${texts.batch} ${batchNum}${expiry} · ${formats.quantity(decimal(quantity).toFixed())}`;
  });
}
