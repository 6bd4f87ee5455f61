/**
 * HTTPS to servers of the administration, in which a company identifies itself by its certificate. Their addresses come from the operators'
 * configuration, never from customers, so that they may lead to this machine: to a stand-in.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import { OutboundError, outboundError } from './errors.ts';

export interface Identified {
  readonly address: string;
  /** The key, and the certificates from its own to its authorities', in PEM. */
  readonly identity: { readonly key: string; readonly chain: readonly string[] };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A file with further authorities that the server's certificate may have. */
  readonly caFile: string | undefined;
  /** Time limit of the whole exchange. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** Posts a body. @throws OutboundError if there was no complete answer: the body may have arrived */
export function postIdentified(to: Identified): Promise<{ readonly status: number; readonly body: string }> {
  const { address, identity, headers, body, caFile, timeoutMs, maxAnswerBytes } = to;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failure(error, timeoutMs));
    const sent = request(
      address,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        key: identity.key,
        cert: identity.chain.join('\n'),
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
    sent.end(body);
  });
}

function failure(error: unknown, timeoutMs: number): OutboundError {
  const { name } = error as { name?: unknown };
  return name === 'TimeoutError' || name === 'AbortError'
    ? new OutboundError('timeout', `No complete answer within ${timeoutMs / 1000} s`)
    : outboundError(error);
}
