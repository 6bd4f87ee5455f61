/** Lines of a document, grouped by their base documents. */
import { decimal, sum } from '../../../domain/money.ts';
import { componentQuantity } from '../../../domain/trade/stock/kits.ts';
import type { LineRow } from '../documents/stored.ts';
import type { Paper } from './paper.ts';
import type { BatchMoved } from './paper-data.ts';
import { isOnMargin } from './sums.ts';

/** Consecutive lines with the same base. */
export interface LineGroup {
  /** Name of the base; null for none, or if the head names the only one. */
  readonly caption: string | null;
  readonly lines: readonly LineView[];
}

export type LineView = Readonly<
  Record<'code' | 'description' | 'quantity' | 'uom' | 'price' | 'discount' | 'tax' | 'amount', string>
> & {
  /** Its batches, each with number, expiry date and quantity; of a kit on a note, the components to be picked. */
  readonly batches: readonly string[];
};

export function lineGroups(paper: Paper): LineGroup[] {
  const captioned = onlyBase(paper) === null && paper.data.lines.some((line) => baseCaption(paper, line) !== null);
  const groups: { base: string | null; caption: string | null; lines: LineView[] }[] = [];
  for (const line of paper.data.lines) {
    let group = groups.at(-1);
    const base = baseCaption(paper, line);
    if (group === undefined || group.base !== base) {
      group = { base, caption: captioned ? baseName(paper, base) : null, lines: [] };
      groups.push(group);
    }
    group.lines.push(lineView(paper, line));
  }
  return groups.map(({ caption, lines }) => ({ caption, lines }));
}

/** The only document that all lines are based on, as label and code; null if there is none, or several. */
export function onlyBase(paper: Paper): { readonly label: string; readonly code: string } | null {
  const { data, texts } = paper;
  const [id, ...others] = new Set(data.lines.map((line) => baseCaption(paper, line)));
  const base = id && others.length === 0 ? data.bases[id] : undefined;
  return base?.code ? { label: texts.bases[base.docType], code: base.code } : null;
}

/** Caption of the document that a line delivers or invoices. Returned documents are named once in the head. */
function baseCaption({ data }: Paper, line: LineRow): string | null {
  return data.row.rectifies === null && data.row.returns === null ? line.baseId : null;
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
    discount: discountText(paper, line),
    tax: isOnMargin(data, line) ? '' : formats.percent(line.taxRate),
    amount: formats.amount(line.amount),
    batches: [...partTexts(paper, line), ...batchTexts(paper, line)],
  };
}

/** All that is deducted from the price, step by step, and then added: RD 1619/2012, art. 6.1.f. */
function discountText({ formats }: Paper, line: LineRow): string {
  const { discountPercent, secondDiscountPercent, documentDiscount, documentCharge } = line;
  const percents = [discountPercent, secondDiscountPercent].filter((percent) => !decimal(percent).eq(0));
  const share = decimal(documentDiscount).eq(0) ? [] : [formats.amount(documentDiscount)];
  const deducted = [...percents.map((percent) => formats.percent(percent)), ...share].join(' + ');
  if (decimal(documentCharge).eq(0)) return deducted;
  return `${deducted === '' ? '' : `${deducted} / `}+${formats.amount(documentCharge)}`;
}

/** Components of a kit on a delivery note, which is picked by it: name and quantity, in their own units. */
function partTexts({ data, type, formats }: Paper, line: LineRow): string[] {
  if (type.kind !== 'delivery_note') return [];
  return (data.lineExtras[line.id]?.parts ?? []).map(({ name, quantity, uom }) => {
    const size = componentQuantity(line.baseQuantity, { quantity });
    return `${formats.quantity(size)} ${uom} · ${name}`;
  });
}

/** Batches that have moved, in the line's unit; before that, the named ones; on an invoice, those of its note. */
function batchTexts({ data, type, formats, texts }: Paper, line: LineRow): string[] {
  const extra = data.lineExtras[line.id];
  const inLineUnit = (batches: readonly BatchMoved[]) =>
    batches.map((batch) => ({
      ...batch,
      quantity: decimal(batch.quantity).times(type.direction).div(line.uomFactor).toFixed(),
    }));
  const delivered = extra?.delivered ?? [];
  const own = extra?.moved ? inLineUnit(extra.moved) : line.batchDetails;
  // It is unknown which of them the invoiced part came from.
  const whole = sum(delivered.map(({ quantity }) => quantity))
    .abs()
    .eq(decimal(line.baseQuantity).abs());
  return (own ?? inLineUnit(delivered)).map(({ batchNum, expiryDate, quantity }) => {
    const expiry = expiryDate ? ` · ${texts.expires} ${formats.day(expiryDate)}` : '';
    const size = own !== null || whole ? ` · ${formats.quantity(decimal(quantity).toFixed())}` : '';
    return `${texts.batch} ${batchNum}${expiry}${size}`;
  });
}
