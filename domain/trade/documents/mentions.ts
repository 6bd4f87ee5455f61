/**
 * Legal mentions on invoices for sales without VAT (RD 1619/2012 art. 6; Directive 2006/112/EC art. 226), by case. The
 * texts are in the templates.
 */
import type { TaxRates, VatRegime } from './vat.ts';

export const MENTIONS = [
  'reverseCharge',
  'intraEuGoods',
  'intraEuServices',
  'exportGoods',
  'exportServices',
  'exempt',
  'notSubject',
] as const;
export type Mention = (typeof MENTIONS)[number];

export interface MentionedLine {
  /** The line's own; null = the document's. */
  readonly regime: VatRegime | null;
  /** Charged tax rate in percent. */
  readonly taxRate: string;
  readonly taxKind: TaxRates['kind'];
  /** Whether the line sells goods; a line without an item is a service. */
  readonly goods: boolean;
}

/** The mentions required by the lines of a sales invoice, each once, in a fixed order. */
export function mentionsFor(regime: VatRegime, lines: readonly MentionedLine[]): Mention[] {
  const needed = new Set(lines.map((line) => (Number(line.taxRate) === 0 ? mentionFor(regime, line) : undefined)));
  return MENTIONS.filter((mention) => needed.has(mention));
}

/** Determined by the regime, or by the tax if the regime charges VAT. */
function mentionFor(documents: VatRegime, { regime: own, taxKind, goods }: MentionedLine): Mention | undefined {
  const regime = own ?? documents;
  switch (regime === 'general' || regime === 'surcharge' ? taxKind : regime) {
    case 'reverse_charge':
      return 'reverseCharge';
    case 'intra_eu':
      return goods ? 'intraEuGoods' : 'intraEuServices';
    case 'export':
      return goods ? 'exportGoods' : 'exportServices';
    case 'exempt':
      return 'exempt';
    case 'not_subject':
      return 'notSubject';
    default:
      return undefined; // A rate of 0 % is VAT like any other.
  }
}
