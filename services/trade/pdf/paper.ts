/** Common parts of printed documents. */

import { type Formats, formatsFor } from '../../../domain/locale/formats.ts';
import { DOCUMENT_TYPES, type DocumentTypeInfo, type PaperForm } from '../../../domain/trade/documents/types.ts';
import type { PaperData } from './paper-data.ts';
import type { Texts } from './texts/es.ts';
import { textsFor } from './texts/index.ts';

export interface Paper {
  readonly data: PaperData;
  readonly type: DocumentTypeInfo;
  readonly formats: Formats;
  readonly texts: Texts;
  readonly form: PaperForm;
}

/** A label and its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Chooses language and formats: the partner's, otherwise the company's. */
export function createPaper(data: PaperData, form: PaperForm = 'document'): Paper {
  const { row, settings } = data;
  const choices =
    row.exchangeRate === null ? settings.format : { ...settings.format, decimalPrecision: row.decimalPrecision };
  const formats = formatsFor(choices, data.partner.language);
  const type = DOCUMENT_TYPES[row.docType];
  const texts = textsFor(formats.language, settings.company.taxSet);
  const { tax } = texts.receipt;
  return { data, type, formats, texts: isReceipt(type, data) ? { ...texts, tax, taxes: tax } : texts, form };
}

/** Whether a purchase invoice is the receipt that the company itself issues to a supplier under the farming scheme. */
export function isReceipt({ kind, side }: DocumentTypeInfo, { row }: PaperData): boolean {
  return kind === 'invoice' && side === 'purchase' && row.vatRegime === 'agricultural';
}

/** Facts that have a value. */
export function presentFacts(
  entries: readonly (readonly [label: string, value: string | null | undefined | false])[],
): Fact[] {
  return entries.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Texts that are not blank. */
export function nonEmpty(texts: readonly (string | null | undefined | false)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
