/** Decides which addresses the service may call on a customer's behalf: only those of the public internet. */
import ipaddr from 'ipaddr.js';

/** Names that always mean this machine or this network. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.*$/i;

/** Global unicast (RFC 4291): outside it nothing is public, whatever else is not yet assigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Metadata services of clouds, which reveal credentials: AWS, Azure, Google and most others at 169.254.0.0/16, further ones of AWS and
 * Google in IPv6, of Alibaba, Oracle and Azure elsewhere.
 */
const METADATA = ['169.254.0.0/16', '100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);
const METADATA_IPV6 = ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32'].map((range) => ipaddr.IPv6.parseCIDR(range));
/** IPv6 ranges that embed an IPv4 address: translated (NAT64, SIIT), compatible; 6to4 has it further left. */
const EMBEDDED = ['64:ff9b::/96', '64:ff9b:1::/48', '::ffff:0:0:0/96', '::/96'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');

/** Whether an IP address, in any spelling, is public: not private, loopback, link-local, reserved … */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  // `process` unwraps IPv4-mapped addresses (::ffff:127.0.0.1).
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || isMetadataAddress(address)) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/** Whether an IP address, in any spelling, is a cloud's metadata service: never called, even where private addresses are allowed. */
export function isMetadataAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return METADATA.some((range) => parsed.match(range));
  if (METADATA_IPV6.some((range) => parsed.match(range))) return true;
  const bytes = parsed.toByteArray();
  const inside = parsed.match(SIX_TO_FOUR)
    ? bytes.slice(2, 6)
    : EMBEDDED.some((range) => parsed.match(range))
      ? bytes.slice(12)
      : null;
  return inside !== null && METADATA.some((range) => new ipaddr.IPv4(inside).match(range));
}

/** Whether the service may connect to an address. @param allowPrivate whether targets in the operator's own network are allowed */
export function mayConnect(address: string, allowPrivate: boolean): boolean {
  return allowPrivate ? !isMetadataAddress(address) : isPublicAddress(address);
}

/** Whether a name always means this machine or this network, whatever it resolves to. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}

/** The host of an address as an IP literal without brackets; null if it is a name. */
export function ipLiteral(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * Finds why a URL cannot be a target; null if it can. The resolved address is checked when connecting.
 * @param allowPrivate whether targets in the operator's own network are allowed
 */
export function targetFault(text: string, allowPrivate: boolean): { code: string; message: string } | null {
  if (!URL.canParse(text))
    return { code: 'invalid_url', message: 'must be an absolute URL such as https://example.com/hook' };
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return { code: 'invalid_url', message: 'must begin with https:// or http://' };
  if (username !== '' || password !== '') {
    return { code: 'invalid_url', message: 'must not contain user and password; use an Authorization header' };
  }
  if (hash !== '') return { code: 'invalid_url', message: 'must not have a fragment (#…)' };
  // The URL parser has already normalized every spelling of an IPv4 address (0x7f.1, 2130706433).
  const literal = ipLiteral(hostname);
  if (literal === null ? !allowPrivate && isLocalName(hostname) : !mayConnect(literal, allowPrivate)) {
    return {
      code: 'private_address',
      message: 'must not point to a private, loopback, link-local or metadata address',
    };
  }
  return null;
}
