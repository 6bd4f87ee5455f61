/** Connects outgoing HTTP requests: every address is checked before anything is sent to it, whether it came from the URL or from DNS. */
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildConnector } from 'undici';
import {
  ipLiteral,
  isPrivateName,
  isRefusedName,
  mayConnect,
  type OwnServer,
  type TargetPolicy,
  urlPort,
} from '../../../domain/integrations/webhooks/targets.ts';
import { OutboundError } from './errors.ts';

/** Resolves all addresses of a host name. @throws Error with Node's code if it has none */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const CONNECT_MS = 10_000;
const DNS_MS = 1500;
const DNS_TRIES = 2;
/** Time for which the addresses of the service's own servers, and of this machine, are used. */
const FRESH_MS = 30_000;
/** Ports whose connectors, with their TLS sessions, are kept. */
const MAX_PORTS = 20;

/**
 * Builds a connector for undici. It connects to exactly the addresses that were checked: no second look-up could answer differently. A name
 * with any forbidden address is refused as a whole.
 */
export function guardedConnector(options: {
  readonly targets: TargetPolicy;
  readonly resolve: Resolve;
}): buildConnector.connector {
  const { targets, resolve } = options;
  const resolvedPolicy = policyResolver(targets);
  const byPort = new Map<number, buildConnector.connector>();
  const connectorTo = (port: number): buildConnector.connector => {
    const known = byPort.get(port);
    if (known !== undefined) return known;
    const check = async (hostname: string, addresses: readonly string[]) => {
      const { policy, localAddresses } = await resolvedPolicy();
      if (!addresses.every((address) => mayConnect({ address, hostname, port }, policy, localAddresses))) {
        throw blocked();
      }
    };
    const connector = checkedConnector(resolve, check, (hostname) => isRefusedName(hostname, port, targets));
    if (byPort.size >= MAX_PORTS) byPort.clear();
    byPort.set(port, connector);
    return connector;
  };
  return (target, callback) => connectorTo(urlPort(target))(target, callback);
}

/** A connector to one port of any host. @param check throws for addresses that must not be connected to */
function checkedConnector(
  resolve: Resolve,
  check: (hostname: string, addresses: readonly string[]) => Promise<void>,
  isRefused: (hostname: string) => boolean,
): buildConnector.connector {
  const checkedLookup: LookupFunction = (hostname, { all }, callback) => {
    resolveAddresses(resolve, hostname, check).then(
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
    const { hostname } = target;
    // Literals skip the look-up.
    const literal = ipLiteral(hostname);
    if (literal === null) {
      if (isRefused(hostname)) callback(blocked(), null);
      else connect(target, callback);
      return;
    }
    check(hostname, [literal]).then(
      () => connect(target, callback),
      (error: Error) => callback(error, null),
    );
  };
}

/** The policy with the names of the service's own servers resolved, anew every half minute, and the addresses of this machine. */
function policyResolver(
  targets: TargetPolicy,
): () => Promise<{ readonly policy: TargetPolicy; readonly localAddresses: readonly string[] }> {
  const known = new Map<OwnServer, OwnServer[]>();
  const load = async () => {
    await Promise.all(
      targets.own.map(async (server) => {
        if (ipLiteral(server.host) !== null) return known.set(server, [server]);
        const addresses = await systemNames(server.host).catch(() => null);
        // A name that fails for now keeps the addresses that it had.
        return addresses && known.set(server, [server, ...addresses.map((host) => ({ ...server, host }))]);
      }),
    );
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    return {
      policy: { ...targets, own: targets.own.flatMap((server) => known.get(server) ?? []) },
      localAddresses: interfaces.map(({ address }) => address),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  let until = 0;
  return () => {
    if (loaded !== undefined && Date.now() < until) return loaded;
    until = Date.now() + FRESH_MS;
    const loading = load();
    // The addresses that are known serve until the names are resolved, which may take a while.
    void loading.then(() => {
      loaded = loading;
    });
    loaded ??= loading;
    return loaded;
  };
}

type Address = { readonly address: string; readonly family: number };

async function resolveAddresses(
  resolve: Resolve,
  hostname: string,
  check: (hostname: string, addresses: readonly string[]) => Promise<void>,
): Promise<[Address, ...Address[]]> {
  const addresses = await resolve(hostname).catch((error: NodeJS.ErrnoException) => {
    const unknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
    const message = unknown ? 'The host name is unknown' : 'The host name could not be resolved';
    throw new OutboundError('unreachable', message, error);
  });
  const [first, ...others] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  if (first === undefined) throw new OutboundError('unreachable', 'The host name is unknown');
  await check(hostname, addresses);
  return [first, ...others];
}

/** Resolves names of the operator's own network as the system does, all others by asking the DNS servers. */
export function targetNames(targets: TargetPolicy): Resolve {
  const publicName = publicNames();
  return (hostname) => (isPrivateName(hostname, targets) ? systemNames : publicName)(hostname);
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
const systemNames: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

function blocked(): OutboundError {
  return new OutboundError(
    'blocked_address',
    'The target is a private, loopback, link-local or metadata address, or a server of this service',
  );
}
