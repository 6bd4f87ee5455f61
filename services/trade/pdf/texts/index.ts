/** Texts of printed documents: one file per language, all with the same members. */
import type { Language } from '../../../../domain/locale/formats.ts';
import { type TaxSet, taxName } from '../../../../domain/trade/documents/tax-sets.ts';
import { en } from './en.ts';
import { es, type Texts } from './es.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { es, en };

/** Texts with the name of the indirect tax that the company charges. */
export function textsFor(language: Language, set: TaxSet): Texts {
  const texts = TEXTS[language];
  const tax = taxName(set, language);
  return { ...texts, tax, taxes: tax, customs: { ...texts.customs, vat: tax } };
}
