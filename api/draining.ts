/** How a process ends without failing a request (decision 0274): it says so, goes on until everybody knows, and then takes no more. */
import type Koa from 'koa';

export class Draining {
  #begun = false;

  /** Whether the process is about to end. */
  get begun(): boolean {
    return this.#begun;
  }

  begin(): void {
    this.#begun = true;
  }
}

/**
 * Ends connections with their next answer, so that clients open new ones, which reach other processes. Decided when the answer is there:
 * a request that began before the end is the last one of its connection too.
 */
export function endConnections(draining: Draining): Koa.Middleware {
  return async (http, next) => {
    await next();
    if (draining.begun) http.set('Connection', 'close');
  };
}
