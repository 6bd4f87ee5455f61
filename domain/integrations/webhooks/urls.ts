/** Hides the secrets that addresses of other servers often hold. */
import { HEADER_MASK } from './headers.ts';

/** Replaces the user info and the values of the query, which may be tokens, by masks. The address may have placeholders. */
export function maskedUrl(url: string): string {
  const [, start = '', user = '', rest = '', query = '', fragment = ''] =
    /^([^:/?#]*:\/\/)?([^/?#]*@)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return [
    start,
    user === '' ? '' : `${HEADER_MASK}@`,
    rest,
    query.replaceAll(/([?&])([^=&]*)(=?)[^&]*/g, (_, sign: string, name: string, equals: string) =>
      equals === '' && name !== '' ? `${sign}${HEADER_MASK}` : `${sign}${name}${equals}${equals && HEADER_MASK}`,
    ),
    fragment === '' ? '' : `#${HEADER_MASK}`,
  ].join('');
}
