/** Checks that a webhook comes from the service. */

export interface WebhookRequest {
  /** The secret of the webhook. */
  readonly secret: string;
  /** The body as it came, not parsed. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Headers of the request: those of fetch, or of Node. */
  readonly headers: Headers | { readonly [name: string]: string | readonly string[] | undefined };
  /** Greatest age in seconds, against recorded requests that are sent again; 300 by default. */
  readonly tolerance?: number;
  /** The present time, for tests. */
  readonly now?: Date;
}

export interface WebhookEvent<Data = { readonly [member: string]: unknown }> {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly tenant_id: string;
  readonly data: Data;
}

/** A request that the service has not sent, or that is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Checks the signature and age of a request.
 * @returns its event
 * @throws WebhookError
 */
export async function verifyWebhook<Data = { readonly [member: string]: unknown }>(
  request: WebhookRequest,
): Promise<WebhookEvent<Data>> {
  const { secret, body, tolerance = 300, now = new Date() } = request;
  const timestamp = header(request.headers, 'X-Service-Timestamp');
  const signature = header(request.headers, 'X-Service-Signature');
  if (timestamp === undefined || signature === undefined)
    throw new WebhookError('The request must have X-Service-Timestamp and X-Service-Signature');
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= tolerance))
    throw new WebhookError(`The request was not sent within ${tolerance} s`);
  const encoder = new TextEncoder();
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const head = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hash, false, ['verify']);
  // While a secret is replaced, a request has a signature by each.
  const claims = signature.split(',').map((one) => fromHex(one.trim().replace(/^sha256=/, '')));
  const checks = await Promise.all(claims.map((claim) => crypto.subtle.verify('HMAC', key, claim, signed)));
  if (!checks.includes(true)) throw new WebhookError('The signature is not that of this body and secret');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent<Data>;
}

function header(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}
