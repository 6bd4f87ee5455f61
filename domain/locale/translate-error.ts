/** Refusals in another language than English: codes and pointers stay, what people read is translated. */
import { ERROR_CODES, FAULT_WORDS, faultsInWords, type ServiceError } from '../errors.ts';
import type { Language } from './formats.ts';
import { translate } from './messages.ts';

const WORDS: Readonly<Record<Language, typeof FAULT_WORDS>> = {
  en: FAULT_WORDS,
  es: { body: 'cuerpo', and: 'y', more: 'más', invalid: 'no es válido' },
};

/** The title, detail and faults of a refusal in a language. */
export function translateError(error: ServiceError, language: Language) {
  const said = new Map<string, string>();
  const inWords = (message: string): string => {
    const known = said.get(message) ?? translate(message, language);
    said.set(message, known);
    return known;
  };
  const translated = <F extends { readonly message: string }>(faults: readonly F[]): F[] =>
    faults.map((fault) => ({ ...fault, message: inWords(fault.message) }));
  const errors = translated(error.errors);
  const isListed = error.code === 'validation_failed' && error.message === faultsInWords(error.errors);
  return {
    title: inWords(ERROR_CODES[error.code].title),
    detail: isListed ? faultsInWords(errors, WORDS[language]) : inWords(error.message),
    errors,
    rowErrors: translated(error.rowErrors),
  };
}
