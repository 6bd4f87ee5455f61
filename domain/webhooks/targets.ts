/** Which addresses the service may call on a customer's behalf: those of the public internet. */
import ipaddr from 'ipaddr.js';

/** Names that always mean this machine or this network. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.?$/i;

/** Whether an IP address, in any spelling, belongs to the public internet: not private, loopback, link-local, reserved … */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` looks into IPv4-mapped addresses (::ffff:127.0.0.1).
  return ipaddr.process(address).range() === 'unicast';
}

/** The host of an address as an IP literal without brackets; null when it is a name. */
export function ipLiteral(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * Why a URL cannot be a target; null when it can. What a name resolves to is checked when connecting.
 * @param allowPrivate whether targets of one's own network are wanted
 */
export function targetFault(text: string, allowPrivate: boolean): { code: string; message: string } | null {
  if (!URL.canParse(text))
    return { code: 'invalid_url', message: 'must be an absolute URL such as https://example.com/hook' };
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return { code: 'invalid_url', message: 'must begin with https:// or http://' };
  if (username !== '' || password !== '') {
    return { code: 'invalid_url', message: 'must not hold user and password: use an Authorization header' };
  }
  if (hash !== '') return { code: 'invalid_url', message: 'must not have a fragment (#…)' };
  if (allowPrivate) return null;
  // The URL parser has already put every spelling of an IPv4 address (0x7f.1, 2130706433) into the usual one.
  const literal = ipLiteral(hostname);
  if (literal === null ? LOCAL_NAMES.test(hostname) : !isPublicAddress(literal)) {
    return { code: 'private_address', message: 'must not point to a private, loopback or link-local address' };
  }
  return null;
}
