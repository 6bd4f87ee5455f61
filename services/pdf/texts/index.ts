/** Texts of printed documents: one file per language, all with the same members. */
import type { Language } from '../../../domain/locale/formats.ts';
import { en } from './en.ts';
import { es } from './es.ts';

export type Texts = typeof es;

export const TEXTS: Readonly<Record<Language, Texts>> = { es, en };
