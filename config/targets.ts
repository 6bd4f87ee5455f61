/** Addresses that webhooks, rules, plugins and pushes may call besides the public internet, and those never called: the service's own. */
import ipaddr from 'ipaddr.js';
import { serverUrls } from './database-urls.ts';
import { choice, list, type Problems } from './parse.ts';

type Env = Record<string, string | undefined>;

/** A host, as a name or an IP literal without brackets, or a network (`10.1.0.0/16`), and one of its ports; null = each. */
export interface Endpoint {
  readonly host: string;
  readonly port: number | null;
}

export interface TargetsConfig {
  /** Whether private networks are open, but for this machine. */
  readonly allowPrivate: boolean;
  /** Targets that are open although they are private or on this machine. */
  readonly allowed: readonly Endpoint[];
  /** Servers of the service itself, which stay closed; `shared`: other people's servers may have the same public address. */
  readonly own: readonly (Endpoint & { readonly shared?: boolean })[];
}

const THIS_MACHINE = '127.0.0.1';
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'smtps:': 465,
  'smtp:': 587,
};

/** The parts of the configuration that name servers. */
interface Known {
  readonly appUrl: string;
  readonly api: { readonly host: string; readonly port: number };
  readonly database: Readonly<Record<'url' | 'migrationUrl' | 'directUrl' | 'standbyUrl', string | undefined>>;
  readonly temporal: { readonly address: string | undefined };
  readonly embedded: { readonly postgresPort: number; readonly temporalPort: number; readonly temporalUiPort: number };
  readonly mail: { readonly smtpUrl: string | undefined };
  readonly attachments: { readonly store: { readonly endpoint: string } | undefined };
  readonly tracing: { readonly endpoint: string } | undefined;
}

/** Settings that name open targets: WEBHOOK_ALLOWED_TARGETS is another name of the first. */
const ALLOWED_TARGETS = ['OUTBOUND_ALLOWED_TARGETS', 'WEBHOOK_ALLOWED_TARGETS'];
/** A host or network, an IPv6 one in brackets, and a port. */
const ENDPOINT = /^(?:\[([0-9a-f:.]+(?:\/\d{1,3})?)\]|([^\s:/[\]@?#]+(?:\/\d{1,2})?)):(\d{1,5}|\*)$/i;

/** Loads WEBHOOK_ALLOW_PRIVATE_TARGETS, OUTBOUND_ALLOWED_TARGETS and SERVICE_ADDRESSES. */
export function loadTargets(env: Env, config: Known, problems: Problems): TargetsConfig {
  return {
    allowPrivate: choice(env, 'WEBHOOK_ALLOW_PRIVATE_TARGETS', ['true', 'false'], 'false', problems) === 'true',
    allowed: ALLOWED_TARGETS.flatMap((name) => endpoints(env, name, problems, { networks: true })),
    own: [...ownServers(config), ...endpoints(env, 'SERVICE_ADDRESSES', problems)],
  };
}

/** All servers of the service that its configuration names. Those of `npm start` are on this machine whether or not they are in use. */
function ownServers({
  appUrl,
  api,
  database,
  temporal,
  embedded,
  mail,
  attachments,
  tracing,
}: Known): TargetsConfig['own'] {
  const { postgresPort, temporalPort, temporalUiPort } = embedded;
  const { url, migrationUrl, directUrl, standbyUrl } = database;
  const urls = [url, migrationUrl, directUrl, standbyUrl, mail.smtpUrl, attachments.store?.endpoint, tracing?.endpoint];
  return [
    { host: api.host, port: api.port },
    ...[postgresPort, temporalPort, temporalUiPort].map((port) => ({ host: THIS_MACHINE, port })),
    ...urls.flatMap((one) => (one === undefined ? [] : serverUrls(one).flatMap(urlEndpoints))),
    ...(temporal.address === undefined ? [] : urlEndpoints(`tcp://${temporal.address}`)),
    ...urlEndpoints(appUrl).map((server) => ({ ...server, shared: !ipaddr.isValid(server.host) })),
  ];
}

/** The server of a URL; none for a URL that is wrong, or names a socket. */
function urlEndpoints(url: string): Endpoint[] {
  if (!URL.canParse(url)) return [];
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '' ? [] : [{ host, port: port === '' ? (DEFAULT_PORTS[protocol] ?? null) : Number(port) }];
}

function endpoints(env: Env, name: string, problems: Problems, { networks = false } = {}): Endpoint[] {
  return list(env, name).flatMap((entry) => {
    const [, bracketed, plain, port = ''] = ENDPOINT.exec(entry) ?? [];
    const host = bracketed ?? plain;
    const isHost = host !== undefined && (!host.includes('/') || (networks && ipaddr.isValidCIDR(host)));
    if (isHost && (port === '*' || (Number(port) > 0 && Number(port) <= 65535))) {
      return [{ host, port: port === '*' ? null : Number(port) }];
    }
    const more = networks ? ', or a network: 10.1.0.0/16:443' : '';
    problems.push(`${name} has "${entry}": give host:port, for example 127.0.0.1:9000, or host:* for each port${more}`);
    return [];
  });
}
