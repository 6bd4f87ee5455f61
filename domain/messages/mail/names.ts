/** Names of companies and people in mails. */
import type { Language } from '../../locale/formats.ts';

/** Maximum characters of a name: it must not become the message. */
const MAX_NAME_LENGTH = 80;

/** Puts a name on one line and shortens a very long one. */
export function shortName(name: string): string {
  const line = [...name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH).join('')}…` : line.join('');
}

/**
 * The language of mails to people who may not belong to a company yet.
 * @param locale the recipient's choice; null falls back to the country's language
 * @param country the sending company's, ISO 3166
 */
export function mailLanguage(locale: string | null, country: string): Language {
  return /^es\b/i.test(locale ?? (country === 'ES' ? 'es' : 'en')) ? 'es' : 'en';
}
