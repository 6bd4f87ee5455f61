/** Proxies that are trusted to name the client. */
import ipaddr from 'ipaddr.js';
import { list, type Problems, text } from './parse.ts';

const MAX_HOPS = 10;

/**
 * Parses a number of proxies, or their networks.
 * @returns 0 for none; networks with their prefix; a single address as a network
 */
export function proxies(
  env: Record<string, string | undefined>,
  name: string,
  problems: Problems,
): number | readonly string[] {
  const value = text(env, name) ?? '0';
  if (value === 'false') return 0;
  if (/^\d+$/.test(value) && Number(value) <= MAX_HOPS) return Number(value);
  const networks = list(env, name).map(network);
  if (networks.length > 0 && networks.every((entry) => entry !== undefined)) return networks;
  problems.push(
    `${name} is "${value}": give the number of proxies in front of the API (0 to ${MAX_HOPS}), or their networks, for ` +
      `example 10.0.0.0/8,192.0.2.7`,
  );
  return 0;
}

/** Parses a network. @returns undefined if it is invalid, or covers everything: callers could claim any address */
function network(entry: string): string | undefined {
  const [address = '', prefix] = entry.split('/', 2);
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!isIPv4 && !ipaddr.IPv6.isValid(address)) return undefined;
  const whole = `${address}/${prefix ?? (isIPv4 ? 32 : 128)}`;
  return ipaddr.isValidCIDR(whole) && !/\/0+$/.test(whole) ? whole : undefined;
}
