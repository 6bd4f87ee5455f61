/** Texts of reports in all languages of the service. */
import type { Language } from '../../locale/formats.ts';

export type Texts = Readonly<Record<Language, string>>;
