/** Texts of printed documents: one file per language, all with the same members. */
import type { Language } from '../../../../domain/locale/formats.ts';
import { en } from './en.ts';
import { es, type Texts } from './es.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { es, en };
