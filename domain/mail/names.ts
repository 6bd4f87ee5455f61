/** Names of companies and people within mails. */
import type { Language } from '../locale/formats.ts';

/** The most characters of a name: it must not become the message. */
const MOST = 80;

/** A name on one line, cut where it is very long. */
export function shortName(name: string): string {
  const line = [...name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return line.length > MOST ? `${line.slice(0, MOST).join('')}…` : line.join('');
}

/**
 * The language of mails to people who may have no company yet.
 * @param locale what they chose; null: that of the country
 * @param country of the company that writes, ISO 3166
 */
export function mailLanguage(locale: string | null, country: string): Language {
  return /^es\b/i.test(locale ?? (country === 'ES' ? 'es' : 'en')) ? 'es' : 'en';
}
