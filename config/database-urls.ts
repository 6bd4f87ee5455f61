/** Addresses of a database with several servers, as PostgreSQL's own clients take them: `postgres://login:pw@first:5432,second/name`. */

/** The hosts, with everything before and after them. A password has no @ and no / in it: they are written %40 and %2F. */
const PARTS = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is;

/** @returns an address for each server, in order; the address itself if it names one, or none */
export function serverUrls(url: string): [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? [];
  const [first, ...others] = hosts.split(',').map((host) => `${before}${host}${after}`);
  return first === undefined || others.length === 0 ? [url] : [first, ...others];
}

/** Names the servers and the database, without the password: `first:5432,second:5432/name`. */
export function databaseName(url: string): string {
  const urls = serverUrls(url).map((server) => new URL(server));
  const hosts = urls.map(({ hostname, port }) => `${hostname}:${port || 5432}`);
  return `${hosts.join(',')}${urls[0]?.pathname ?? ''}`;
}
