/**
 * Decides which addresses the service may call on a customer's behalf: those of the public internet, and those that its operator opens, but
 * never a server of its own.
 */
import ipaddr from 'ipaddr.js';

/** A host, as a name or an IP literal without brackets, and one of its ports; null = each. */
export interface Endpoint {
  readonly host: string;
  readonly port: number | null;
}

/** A server of the service. */
export interface OwnServer extends Endpoint {
  /** Whether other people's servers may have the same public address, as behind a content network. Then that is compared by name only. */
  readonly shared?: boolean;
}

/** The operator's decision about targets. */
export interface TargetPolicy {
  /** Whether private networks are open, but for this machine. */
  readonly allowPrivate: boolean;
  /** Targets that are open although they are private or on this machine; the host may be a network (`10.1.0.0/16`). */
  readonly allowed: readonly Endpoint[];
  /** Servers of the service itself, which stay closed whatever is allowed. */
  readonly own: readonly OwnServer[];
}

/** Names that always mean this machine or this network. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.*$/i;
const LOCALHOST = /(^|\.)localhost\.*$/i;

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
  const parsed = innermost(address);
  return parsed instanceof ipaddr.IPv4
    ? METADATA.some((range) => parsed.match(range))
    : METADATA_IPV6.some((range) => parsed.match(range));
}

/**
 * Whether the service may connect to an address that `hostname` stands for.
 * @param policy its own servers must be IP literals here, those with names resolved
 * @param localAddresses addresses of this machine's network interfaces
 */
export function mayConnect(
  { address, hostname, port }: { readonly address: string; readonly hostname?: string; readonly port: number },
  { allowPrivate, allowed, own }: TargetPolicy,
  localAddresses: readonly string[] = [],
): boolean {
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  const isPublic = isPublicAddress(address);
  const isLocal = (one: string) => isLoopback(one) || localAddresses.some((local) => isSameAddress(local, one));
  const here = isLocal(address);
  const isOwn = own.some(
    (server) =>
      isPort(server, port) &&
      ipLiteral(server.host) !== null &&
      !(server.shared === true && isPublic) &&
      (isSameAddress(server.host, address) || (here && isLocal(server.host))),
  );
  if (isOwn) return false;
  if (isPublic || (allowPrivate && !here)) return true;
  return allowed.some((open) => {
    if (!isPort(open, port)) return false;
    if (isInNetwork(address, open.host) || (hostname !== undefined && isSameName(open.host, hostname))) return true;
    const literal = ipLiteral(open.host) ?? (LOCALHOST.test(open.host) ? '127.0.0.1' : null);
    if (literal === null) return false;
    return isSameAddress(literal, address) || (isLoopback(literal) && isLoopback(address));
  });
}

/** Whether a name must not even be looked up. */
export function isRefusedName(hostname: string, port: number, policy: TargetPolicy): boolean {
  if (policy.own.some((server) => isPort(server, port) && isSameName(server.host, hostname))) return true;
  return isLocalName(hostname) && !isPrivateName(hostname, policy);
}

/** Whether a name is one of the operator's network, which the system resolves, rather than one of the internet. */
export function isPrivateName(hostname: string, { allowPrivate, allowed }: TargetPolicy): boolean {
  if (LOCALHOST.test(hostname)) return allowed.some(({ host }) => LOCALHOST.test(host) || isLoopback(host));
  return allowPrivate || allowed.some(({ host }) => isSameName(host, hostname));
}

/** Whether a name always means this machine or this network, whatever it resolves to. */
function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}

/** The host of an address as an IP literal without brackets; null if it is a name. */
export function ipLiteral(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return ipaddr.isValid(bare) ? bare : null;
}

/** The port of a URL, which may be implied by its scheme. */
export function urlPort({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Finds why a URL cannot be a target; null if it can. The resolved address is checked when connecting. */
export function targetFault(text: string, policy: TargetPolicy): { code: string; message: string } | null {
  const fault = urlFault(text);
  if (fault !== null) return fault;
  const url = new URL(text);
  const { hostname } = url;
  // The URL parser has already normalized every spelling of an IPv4 address (0x7f.1, 2130706433).
  const address = ipLiteral(hostname) ?? (LOCALHOST.test(hostname) ? '127.0.0.1' : null);
  const port = urlPort(url);
  const isOpen =
    address === null ? !isRefusedName(hostname, port, policy) : mayConnect({ address, hostname, port }, policy);
  if (isOpen) return null;
  return {
    code: 'private_address',
    message: 'must not point to a private, loopback, link-local or metadata address, or to a server of this service',
  };
}

/** Finds why a text cannot be the URL of a request, wherever that goes; null if it can. */
export function urlFault(text: string): { code: string; message: string } | null {
  if (!URL.canParse(text))
    return { code: 'invalid_url', message: 'must be an absolute URL such as https://example.com/hook' };
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return { code: 'invalid_url', message: 'must begin with https:// or http://' };
  if (username !== '' || password !== '') {
    return { code: 'invalid_url', message: 'must not contain user and password; use an Authorization header' };
  }
  return hash === '' ? null : { code: 'invalid_url', message: 'must not have a fragment (#…)' };
}

function isPort(endpoint: Endpoint, port: number): boolean {
  return endpoint.port === null || endpoint.port === port;
}

function isSameName(one: string, other: string): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\.+$/, '');
  return bare(one) === bare(other);
}

/** Whether an IP address leads into a network; `false` for a host. */
function isInNetwork(address: string, network: string): boolean {
  if (!ipaddr.isValidCIDR(network)) return false;
  const parsed = innermost(address);
  const range = ipaddr.parseCIDR(network);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}

/** Whether two IP addresses lead to the same place; `false` for a name. */
function isSameAddress(one: string, other: string): boolean {
  return ipaddr.isValid(one) && ipaddr.isValid(other) && innermost(one).toString() === innermost(other).toString();
}

/** Whether an address is this machine's own: loopback, or the unspecified one, which systems connect to loopback. */
function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ['loopback', 'unspecified'].includes(innermost(address).range());
}

/** The address, or the IPv4 address that it contains: mapped, translated (NAT64, SIIT), compatible or 6to4. */
function innermost(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  // `process` unwraps IPv4-mapped addresses (::ffff:127.0.0.1).
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  const bytes = parsed.toByteArray();
  if (parsed.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  // ::1 is loopback, and no compatible 0.0.0.1; :: is unspecified.
  const isCompatible = !bytes.slice(0, 15).every((byte) => byte === 0);
  return isCompatible && EMBEDDED.some((range) => parsed.match(range)) ? new ipaddr.IPv4(bytes.slice(12)) : parsed;
}
