/** Connects outgoing HTTP requests: every address is checked before anything is sent to it, whether it came from the URL or from DNS. */
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { ipLiteral, isLocalName, mayConnect } from '../../../domain/integrations/webhooks/targets.ts';
import { OutboundError } from './errors.ts';

/** Resolves all addresses of a host name. @throws Error with Node's code if it has none */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const CONNECT_MS = 10_000;
const DNS_MS = 1500;
const DNS_TRIES = 2;

/**
 * Builds a connector for undici. It connects to exactly the addresses that were checked: no second look-up could answer differently. A name
 * with any forbidden address is refused as a whole.
 */
export function guardedConnector(options: {
  readonly allowPrivateTargets: boolean;
  readonly resolve: Resolve;
}): buildConnector.connector {
  const { allowPrivateTargets, resolve } = options;
  const checkedLookup: LookupFunction = (hostname, { all }, callback) => {
    resolveAddresses(resolve, hostname, allowPrivateTargets).then(
      (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0].address, addresses[0].family)),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
  const connect = buildConnector({
    timeout: CONNECT_MS,
    lookup: checkedLookup,
    // Explicit, so that no environment variable weakens it.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
  return (target, callback) => {
    // IP literals need no look-up.
    const literal = ipLiteral(target.hostname);
    const refused =
      literal === null
        ? !allowPrivateTargets && isLocalName(target.hostname)
        : !mayConnect(literal, allowPrivateTargets);
    if (refused) callback(blocked(), null);
    else connect(target, callback);
  };
}

type Address = { readonly address: string; readonly family: number };

async function resolveAddresses(
  resolve: Resolve,
  hostname: string,
  allowPrivate: boolean,
): Promise<[Address, ...Address[]]> {
  const addresses = await resolve(hostname).catch((error: NodeJS.ErrnoException) => {
    const unknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
    const message = unknown ? 'The host name is unknown' : 'The host name could not be resolved';
    throw new OutboundError('unreachable', message, error);
  });
  const [first, ...others] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  if (first === undefined) throw new OutboundError('unreachable', 'The host name is unknown');
  if (!addresses.every((address) => mayConnect(address, allowPrivate))) throw blocked();
  return [first, ...others];
}

/**
 * Resolves public names by asking DNS servers directly: the system's look-up occupies one of the process's four threads while it waits, so
 * that names with silent servers would block everybody.
 * @param servers `host:port` of each; defaults to those of the system
 */
export function publicNames(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: DNS_MS, tries: DNS_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

/** Resolves names as the system does, including its local network and hosts file. */
export const systemNames: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

function blocked(): OutboundError {
  return new OutboundError('blocked_address', 'The target is a private, loopback, link-local or metadata address');
}
