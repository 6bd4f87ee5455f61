/** Makes PDFs reproducible: the browser's timestamps and counters are normalized. */

/** All replacements keep their length, since a PDF contains byte offsets. */
const DATE = /\/(CreationDate|ModDate) \(D:\d{14}([^)]*)\)/g;
/** Ids of the structure for screen readers; the browser's counter continues from page to page. */
const NODE = /\(node(\d{8})\)/g;

/** Normalizes a PDF. @param pdf as written by Chromium @param at ISO 8601 timestamp to show as its creation time */
export function normalizePdf(pdf: Uint8Array, at: string): Uint8Array {
  const text = Buffer.from(pdf).toString('latin1');
  const digits = at.replaceAll(/\D/g, '').slice(0, 14);
  // Renumbered in the order in which a PDF has to list them.
  const nodes = [...new Set([...text.matchAll(NODE)].map(([, number]) => number))].sort();
  const renamed = new Map(nodes.map((number, index) => [number, String(index).padStart(8, '0')]));
  const stable = text
    .replace(DATE, (_, name, zone) => `/${name} (D:${digits}${zone})`)
    .replace(NODE, (_, number) => `(node${renamed.get(number)})`);
  return Buffer.from(stable, 'latin1');
}
