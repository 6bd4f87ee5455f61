import type { Context as KoaContext, Middleware } from 'koa';
import { clientAddress as addressOf, isLoopback, type Proxies, proxyTest } from '../../domain/addresses.ts';

/** Headers by which proxies say for whom they ask. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|cf-connecting-ip|true-client-ip)$/;

/** Finds out who asks, past the proxies that may say so. From here on `http.ip` is that address. */
export function clientAddress(proxies: Proxies): Middleware {
  const isProxy = proxyTest(proxies);
  return (http, next) => {
    http.request.ip = addressOf(http.socket.remoteAddress ?? '', http.get('X-Forwarded-For'), isProxy);
    return next();
  };
}

/** Whether a process of this machine asks, and for nobody else. What a proxy hands on is from anywhere. */
export function isFromThisMachine({ socket, headers }: KoaContext): boolean {
  return isLoopback(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDING.test(name));
}
