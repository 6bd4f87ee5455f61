/** Common to the parts of a printed document. */
import { DOCUMENT_TYPES, type DocumentTypeInfo } from '../../domain/documents/types.ts';
import { type Formats, formatsFor } from '../../domain/locale/formats.ts';
import type { PaperData } from './paper-data.ts';
import { TEXTS, type Texts } from './texts/index.ts';

export interface Paper {
  readonly data: PaperData;
  readonly type: DocumentTypeInfo;
  readonly formats: Formats;
  readonly texts: Texts;
}

/** A label and its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Chooses language and formats: the partner's, else the company's. */
export function paperOf(data: PaperData): Paper {
  const formats = formatsFor(data.settings.format, data.partner.language);
  return { data, type: DOCUMENT_TYPES[data.row.docType], formats, texts: TEXTS[formats.language] };
}

/** Those that have a value. */
export function factsOf(
  entries: readonly (readonly [label: string, value: string | null | undefined | false])[],
): Fact[] {
  return entries.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** The texts that say something. */
export function nonEmpty(texts: readonly (string | null | undefined | false)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
