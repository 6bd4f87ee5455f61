/** The language that a client asks for. */
import type { Context as KoaContext } from 'koa';
import { LANGUAGES, type Language } from '../../domain/locale/formats.ts';

/** The service's language that Accept-Language prefers; null if it names none of them, as `*` does. */
export function acceptedLanguage(http: KoaContext): Language | null {
  const asked = http.get('Accept-Language');
  if (asked === '' || asked === '*') return null;
  const found = http.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === found) ?? null;
}
