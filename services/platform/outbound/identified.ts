/**
 * HTTPS to servers of the administration, to which a company identifies itself. Their addresses come from the operators' configuration,
 * never from customers, so that they may lead to this machine: to a stand-in.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import { OutboundError, outboundError } from './errors.ts';

export interface Identified {
  readonly method: 'GET' | 'POST';
  readonly address: string;
  /** The key, and the certificates from its own to its authorities', in PEM; null where headers say who it is. */
  readonly identity: { readonly key: string; readonly chain: readonly string[] } | null;
  readonly headers: Readonly<Record<string, string>>;
  /** null for none. */
  readonly body: string | null;
  /** A file with further authorities that the server's certificate may have. */
  readonly caFile: string | undefined;
  /** Time limit of the whole exchange. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** A failure before a connection was there, so that nothing can have arrived. */
export class NothingSent extends OutboundError {}

/** Sends a request. @throws NothingSent; OutboundError if there was no complete answer: the request may have arrived */
export function exchangeIdentified(to: Identified): Promise<{ readonly status: number; readonly body: string }> {
  const { method, address, identity, headers, body, caFile, timeoutMs, maxAnswerBytes } = to;
  return new Promise((resolve, reject) => {
    let connected = false;
    const fail = (error: unknown) => {
      const failed = failure(error, timeoutMs);
      reject(connected ? failed : new NothingSent(failed.code, failed.message, error));
    };
    const sent = request(
      address,
      {
        method,
        headers: body === null ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
        ...(identity === null ? {} : { key: identity.key, cert: identity.chain.join('\n') }),
        minVersion: 'TLSv1.2',
        // A connection has one company's certificate: none is kept for another's.
        agent: false,
        ...(caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] }),
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) sent.destroy(new OutboundError('unreachable', 'The answer is too long'));
          else chunks.push(chunk);
        });
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        answer.on('error', fail);
      },
    );
    sent.on('error', fail);
    sent.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        connected = true;
      });
    });
    sent.end(body ?? undefined);
  });
}

function failure(error: unknown, timeoutMs: number): OutboundError {
  const { name } = error as { name?: unknown };
  return name === 'TimeoutError' || name === 'AbortError'
    ? new OutboundError('timeout', `No complete answer within ${timeoutMs / 1000} s`)
    : outboundError(error);
}
