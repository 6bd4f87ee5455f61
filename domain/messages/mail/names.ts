/** Names of companies and people in mails. */
import type { Language } from '../../locale/formats.ts';

/** Maximum characters of a name: it must not become the message. */
const MAX_NAME_LENGTH = 80;

/** Maximum characters of a name that a stranger reads. */
const MAX_PLAIN_LENGTH = 60;

/** Puts a name on one line, without characters that are not seen or turn the direction of writing, and shortens a very long one. */
export function shortName(name: string, most: number = MAX_NAME_LENGTH): string {
  const line = [
    ...name
      .replaceAll(/\p{Cf}+/gu, '')
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  ];
  return line.length > most ? `${line.slice(0, most).join('')}…` : line.join('');
}

/** Dots of any script between a name and something like a top-level domain. */
const DOTS_OF_DOMAINS = /(?<=[\p{L}\p{N}])[.\u3002](?=\p{L}[\p{L}\p{N}-])/gu;

/**
 * A name that users chose, for texts that people read who never heard of them: short, and nothing in it becomes a link. Mail programs make
 * links of whatever looks like an address, so dots within it are replaced (`evil·com`), as are the marks of schemes and mail addresses.
 */
export function plainName(name: string): string {
  const broken = name
    .normalize('NFKC')
    .replaceAll(/:?\/\/+/g, ' ')
    .replaceAll('@', ' (at) ')
    .replaceAll(DOTS_OF_DOMAINS, '·');
  return shortName(broken, MAX_PLAIN_LENGTH);
}

/**
 * The language of mails to people who may not belong to a company yet.
 * @param locale the recipient's choice; null falls back to the country's language
 * @param country the sending company's, ISO 3166
 */
export function mailLanguage(locale: string | null, country: string): Language {
  return /^es\b/i.test(locale ?? (country === 'ES' ? 'es' : 'en')) ? 'es' : 'en';
}
