/** Client addresses: finds the client's own among those that a request names, and groups addresses that belong to one customer. */
import ipaddr from 'ipaddr.js';

/** The proxies in front of the service: their number, or their networks. */
export type Proxies = number | readonly string[];

/** Address ranges that no client can have. */
const NOBODY: readonly string[] = ['unspecified', 'broadcast', 'multicast'];

/**
 * Finds the client's address. Each proxy appends the address that called it to X-Forwarded-For; entries left of the outermost proxy's come
 * from the client and are ignored.
 * @param peer the other end of the connection
 * @returns the last address that a proxy vouches for; if there is none, or it is this machine's own, the one before it
 */
export function clientAddress(
  peer: string,
  forwarded: string,
  isProxy: (address: string, hop: number) => boolean,
): string {
  let address = plain(peer) ?? peer;
  let reached = address;
  for (const [hop, entry] of forwarded.split(',').reverse().entries()) {
    if (!isProxy(reached, hop)) break;
    const before = plain(withoutPort(entry.trim()));
    if (before === undefined || NOBODY.includes(ipaddr.parse(before).range())) break;
    reached = before;
    // Several proxies may run on one machine; a client never does.
    if (!isLoopback(before)) address = before;
  }
  return address;
}

/** Builds a test: whether the address at a number of hops belongs to a proxy. */
export function proxyTest(proxies: Proxies): (address: string, hop: number) => boolean {
  if (typeof proxies === 'number') return (_, hop) => hop < proxies;
  const networks = proxies.map((network) => ipaddr.parseCIDR(network));
  return (address) => {
    const known = plain(address);
    if (known === undefined) return false;
    const parsed = ipaddr.parse(known);
    return networks.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}

/** Whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  const known = plain(address);
  return known !== undefined && ipaddr.parse(known).range() === 'loopback';
}

/** The key under which limits count an address: for IPv6 its /64 network, since one customer there has 2^64 addresses. */
export function addressGroup(address: string): string {
  const known = plain(address);
  if (known === undefined) return address;
  const parsed = ipaddr.parse(known);
  if (parsed instanceof ipaddr.IPv4) return known;
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}

/** The shortest spelling of an address, IPv4-mapped IPv6 as IPv4; undefined if it is not an address. */
function plain(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '');
  const isOne = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isOne ? ipaddr.process(bare).toString() : undefined;
}

/** Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
