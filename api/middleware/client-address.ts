import type { Socket } from 'node:net';
import type { Context as KoaContext, Middleware } from 'koa';
import { clientAddress as findClientAddress, isLoopback, type Proxies, proxyTest } from '../../domain/addresses.ts';

/** Headers in which proxies name the client. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|cf-connecting-ip|true-client-ip)$/;

/** Determines the client's address behind trusted proxies, as `http.ip`. */
export function clientAddress(proxies: Proxies): Middleware {
  const isProxy = proxyTest(proxies);
  /** Addresses of clients without a proxy, cached because connections serve many requests. */
  const direct = new WeakMap<Socket, string>();
  return (http, next) => {
    const { socket } = http;
    const forwarded = http.get('X-Forwarded-For');
    const known = forwarded === '' ? direct.get(socket) : undefined;
    const address = known ?? findClientAddress(socket.remoteAddress ?? '', forwarded, isProxy);
    if (forwarded === '') direct.set(socket, address);
    http.request.ip = address;
    return next();
  };
}

/** Whether the request comes from this machine and not through a proxy; forwarded requests may come from anywhere. */
export function isFromThisMachine({ socket, headers }: KoaContext): boolean {
  return isLoopback(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDING.test(name));
}
