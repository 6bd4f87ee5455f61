/** Caddy as the load balancer before the API processes and Temporal's frontends. */
import { bareEnvironment } from '../../runtime/environment.ts';
import type { Place } from './place.ts';
import type { Part } from './processes.ts';
import { builtProgram } from './programs/build.ts';

const CADDYFILE = new URL('../caddy/Caddyfile', import.meta.url).pathname;

export function balancerPart(place: Place): Part {
  const at = (names: readonly string[]) => names.map((name) => `127.0.0.1:${place.port(name)}`).join(' ');
  return {
    name: 'balancer',
    async command() {
      const env = {
        ...bareEnvironment(),
        XDG_DATA_HOME: place.path('settings'),
        LISTEN: at(['balancer']),
        TEMPORAL_LISTEN: at(['temporal']),
        API_SERVERS: at(['api-1', 'api-2', 'api-3']),
        TEMPORAL_SERVERS: at(['temporal-1-frontend', 'temporal-2-frontend']),
      };
      return { file: await builtProgram('caddy'), args: ['run', '--adapter', 'caddyfile', '--config', CADDYFILE], env };
    },
    isReady: (log) => log.includes('serving initial configuration'),
    stopSignal: 'SIGTERM',
    stopMs: 35_000,
  };
}
