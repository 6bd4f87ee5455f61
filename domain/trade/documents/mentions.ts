/** Legal mentions on invoices for sales without VAT, by what the sale counts as (`legal-texts.ts` has their words). */

import type { ExemptionReason } from './exemptions.ts';
import { type TaxOperation, taxOperation } from './operations.ts';
import type { TaxRates, VatRegime } from './vat.ts';

export const MENTIONS = [
  'reverseCharge',
  'intraEuGoods',
  'intraEuServices',
  'exportGoods',
  'likeExport',
  'customsZone',
  'exportServices',
  'exempt',
  'otherExempt',
  'notSubject',
  'marginScheme',
] as const;
export type Mention = (typeof MENTIONS)[number];

export interface MentionedLine extends Pick<TaxRates, 'exemptionReason'> {
  /** The line's own; null = the document's. */
  readonly regime: VatRegime | null;
  /** Charged tax rate in percent. */
  readonly taxRate: string;
  readonly taxKind: TaxRates['kind'];
  /** Article of law that the tax names instead of the usual one. */
  readonly exemptionArticle?: string | null;
  /** Whether the line sells goods; a line without an item is a service. */
  readonly goods: boolean;
}

/** A mention, with the article that a tax names. */
export interface Mentioned {
  readonly mention: Mention;
  readonly article: string | null;
}

const BY_REASON: Partial<Record<ExemptionReason, Mention>> = {
  E3: 'likeExport',
  E4: 'customsZone',
  E6: 'otherExempt',
};

const BY_OPERATION: Partial<Record<TaxOperation, Mention>> = {
  reverse_charge: 'reverseCharge',
  intra_eu_goods: 'intraEuGoods',
  intra_eu_services: 'intraEuServices',
  export: 'exportGoods',
  services_abroad: 'exportServices',
  exempt: 'exempt',
  not_subject: 'notSubject',
  margin: 'marginScheme',
};

/** The mentions required by the lines of a sales invoice, each once, in a fixed order. */
export function mentionsFor(regime: VatRegime, lines: readonly MentionedLine[]): Mentioned[] {
  const needed = lines.flatMap((line) => lineMention(regime, line) ?? []);
  const once = new Map(needed.map((one) => [`${MENTIONS.indexOf(one.mention)} ${one.article ?? ''}`, one]));
  return [...once.values()].sort((one, other) => MENTIONS.indexOf(one.mention) - MENTIONS.indexOf(other.mention));
}

/** The mention that a line of a sales invoice requires; null for none. A rate of 0 % is VAT like any other. */
export function lineMention(documents: VatRegime, line: MentionedLine): Mentioned | null {
  if (Number(line.taxRate) !== 0) return null;
  const { taxKind: kind, exemptionReason = null, exemptionArticle } = line;
  const operation = taxOperation('sales', { kind, exemptionReason }, line.regime ?? documents, line.goods);
  const mention = (exemptionReason && BY_REASON[exemptionReason]) ?? BY_OPERATION[operation];
  return mention === undefined ? null : { mention, article: exemptionArticle ?? null };
}
