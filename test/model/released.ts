/** Notes that can be invoiced again, since their invoice was credited in full. */
import { type Doc, documentProgress, isInvoice, type Line, openQuantity, originLine } from './paper.ts';

/** Whether a rectifying invoice that is being posted credits the rest of an invoice of notes, all at its prices and without goods. */
export function releases(doc: Doc, docs: readonly Doc[]): boolean {
  const { corrects: invoice } = doc;
  if (invoice === null || doc.returnStock || invoice.released) return false;
  const credits = docs.filter(({ corrects, status }) => corrects === invoice && status !== 'X');
  return (
    noteLines(invoice).length > 0 &&
    invoice.lines.every(({ quantity, returned }) => returned >= quantity) &&
    credits.every((credit) => credit === doc || (credit.status !== 'D' && !credit.returnStock)) &&
    credits.every(({ lines }) =>
      lines.every(({ base, price, discount }) => base?.price === price && base.discount === discount),
    )
  );
}

/** Gives the notes of an invoice their quantities, or takes them again. */
export function release(invoice: Doc, released: boolean): void {
  invoice.released = released;
  for (const { base, quantity } of noteLines(invoice)) base.invoiced += released ? -quantity : quantity;
  for (const { base } of noteLines(invoice)) base.doc.status = documentProgress(base.doc);
}

/** Whether cancelling a document makes an invoice count for its notes again. */
export function retakesNotes({ corrects, status, lines }: Doc): boolean {
  return corrects?.released === true && status !== 'D' && lines.some(({ base }) => base !== null);
}

/** Why the notes cannot be taken again. */
export function refusedRetake(invoice: Doc): string | undefined {
  const used = new Map<Line, number>();
  for (const { base, quantity } of noteLines(invoice)) {
    if (base.doc.status === 'X') return 'invalid_transition';
    const wanted = (used.get(base) ?? 0) + quantity;
    if (wanted > openQuantity(base)) return 'over_invoicing';
    used.set(base, wanted);
  }
  return undefined;
}

function noteLines(invoice: Doc): (Line & { readonly base: Line })[] {
  if (!isInvoice(invoice)) return [];
  return invoice.lines.filter((line): line is Line & { readonly base: Line } => originLine(line) !== line);
}
