/** Talks to FACe: JSON over HTTPS. */
import type { FaceConfig } from '../../../../config/face.ts';
import type { FaceAnswer } from '../../../../domain/trade/einvoice/face/answers.ts';
import type { KeyPair } from '../../../ledger/verifactu/certificate/open.ts';
import { exchangeIdentified } from '../../../platform/outbound/identified.ts';
import { faceToken } from './token.ts';

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** FACe as one company uses it. */
export interface Gateway {
  readonly config: FaceConfig;
  readonly environment: 'test' | 'production';
  readonly pair: KeyPair;
  readonly now: Date;
}

/** The invoice to send, signed. */
export interface SentInvoice {
  readonly name: string;
  readonly content: Uint8Array;
  /** Address to which FACe reports. */
  readonly email: string;
}

/** @throws NothingSent, OutboundError */
export function sendInvoice(to: Gateway, { name, content, email }: SentInvoice): Promise<FaceAnswer> {
  return call(to, '/v1/invoices', { filename: name, content: Buffer.from(content).toString('base64'), email });
}

/** @throws NothingSent, OutboundError */
export function askForState(to: Gateway, registryCode: string): Promise<FaceAnswer> {
  return call(to, `/v1/invoices/${encodeURIComponent(registryCode)}`, null);
}

/** @throws NothingSent, OutboundError */
export function askToCancel(to: Gateway, registryCode: string, reason: string): Promise<FaceAnswer> {
  return call(to, `/v1/invoices/${encodeURIComponent(registryCode)}/cancellation-requests`, { comment: reason });
}

async function call(
  { config, environment, pair, now }: Gateway,
  path: string,
  sent: object | null,
): Promise<FaceAnswer> {
  const { status, body } = await exchangeIdentified({
    method: sent === null ? 'GET' : 'POST',
    address: `${config.addresses[environment]}${path}`,
    identity: null,
    headers: {
      Authorization: `Bearer ${faceToken(pair, now)}`,
      Accept: 'application/json',
      ...(sent === null ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
    },
    body: sent === null ? null : JSON.stringify(sent),
    caFile: config.caFile,
    timeoutMs: TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  return { status, body: parsed(body) };
}

/** Pages in HTML and the like say nothing. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
