/** A webhook receiver on this machine that checks both signatures of each delivery. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A timestamp older than this is refused as a replay. */
const TOLERANCE_SECONDS = 300;

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class WebhookReceiver {
  readonly #server: Server;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #faults: string[] = [];
  #secret: string | undefined;
  #repeats = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a port of 127.0.0.1; 0 = a free one. */
  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const fault = receiver.#accept(request.headers, Buffer.concat(chunks).toString('utf8'));
        response.writeHead(fault === undefined ? 204 : 400).end();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhook`;
  }

  /** Sets the secret from the answer to the creation of the webhook. */
  expectSecret(secret: string): void {
    this.#secret = secret;
  }

  /** Deliveries with valid signatures, one per event. */
  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  /** Number of repeated deliveries, which receivers must expect. */
  get repeats(): number {
    return this.#repeats;
  }

  /** Faults of refused deliveries. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(headers: IncomingHttpHeaders, body: string): string | undefined {
    const fault = this.#secret === undefined ? 'no secret yet' : signatureFault(this.#secret, headers, body);
    if (fault !== undefined) {
      this.#faults.push(fault);
      return fault;
    }
    const envelope = JSON.parse(body) as {
      id: string;
      event: string;
      tenant_id: string;
      data: Record<string, unknown>;
    };
    if (headers['x-service-event'] !== envelope.event) {
      this.#faults.push(`X-Service-Event is ${headers['x-service-event']}, the body's event ${envelope.event}`);
      return this.#faults.at(-1);
    }
    if (this.#deliveries.has(envelope.id)) this.#repeats++;
    this.#deliveries.set(envelope.id, {
      id: envelope.id,
      event: envelope.event,
      tenantId: envelope.tenant_id,
      data: envelope.data,
    });
    return undefined;
  }
}

/**
 * Checks both signatures of a delivery: Standard Webhooks by its own library, and X-Service-Signature by computing the HMAC.
 * @returns the fault, or undefined
 */
export function signatureFault(
  secret: string,
  headers: IncomingHttpHeaders,
  body: string,
  now: Date = new Date(),
): string | undefined {
  const key = secret.startsWith('whsec_') ? secret : `whsec_${Buffer.from(secret).toString('base64')}`;
  try {
    new Webhook(key).verify(body, headers as Record<string, string>);
  } catch (error) {
    return `webhook-signature: ${(error as Error).message}`;
  }
  const timestamp = String(headers['x-service-timestamp'] ?? '');
  if (!/^\d+$/.test(timestamp)) return 'X-Service-Timestamp is missing';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return 'X-Service-Timestamp is too old';
  const expected = Buffer.from(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  // After a rotation the header has two signatures, separated by a comma.
  const given = String(headers['x-service-signature'] ?? '')
    .split(',')
    .map((part) => part.trim());
  const matches = given.some((part) => {
    const signature = Buffer.from(part.replace(/^sha256=/, ''));
    return part.startsWith('sha256=') && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  return matches ? undefined : 'X-Service-Signature does not match';
}
