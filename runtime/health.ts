/** Waits for this service's own parts, using the API's health. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Health {
  readonly status?: unknown;
  readonly checks?: { readonly worker?: unknown };
}

/** Returns the address at which this machine reaches a server that listens on `host`. */
export function localAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Resolves once the API answers that it is ready. */
export function waitForApi(address: string, signal: AbortSignal): Promise<void> {
  return waitFor(address, () => true, signal);
}

/** Resolves once the API reports a worker. */
export function waitForWorker(address: string, signal: AbortSignal): Promise<void> {
  return waitFor(address, (health) => health.checks?.worker === 'ok', signal);
}

async function waitFor(address: string, accept: (health: Health) => boolean, signal: AbortSignal): Promise<void> {
  for (;;) {
    const health = await readiness(address, signal);
    if (health !== undefined && accept(health)) return;
    await sleep(200, undefined, { signal });
  }
}

async function readiness(address: string, signal: AbortSignal): Promise<Health | undefined> {
  try {
    const response = await fetch(`${address}/health/ready`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(3000)]),
    });
    const health = (await response.json()) as Health;
    return response.status === 200 ? health : undefined;
  } catch {
    signal.throwIfAborted();
    // It does not listen yet, or has answered something else: retried until the caller's limit.
    return undefined;
  }
}
