/** Logos for the heads of documents: uploaded or fetched, redrawn, and cached. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { urlFault } from '../../../domain/integrations/webhooks/targets.ts';
import { MAX_IMAGE_BYTES } from '../../../domain/platform/images.ts';
import { ImageRefused, redraw } from '../../platform/images/redraw.ts';
import type { Outbound, OutboundAnswer } from '../../platform/outbound/outbound.ts';

const MAX_REDIRECTS = 3;
const FRESH_MS = 10 * 60_000;
/** Delay before a failing server is asked again; doubles with each failure. */
const FAILED_MS = 60_000;
const MAX_FAILED_MS = 10 * 60_000;
/** Number of other addresses that a company may try while its logos fail; after that, they wait too. */
const FREE_TRIES = 3;
/** Maximum number of cached logos; the least recently used company is evicted first. */
const MAX_KEPT = 1000;
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;

type Read = () => Promise<Uint8Array>;

/** Log fields about an image. */
interface About {
  readonly kind: 'uploaded' | 'fetched';
  readonly host?: string | null;
}

/** The cached logo of a company. */
interface CachedLogo {
  /** Its address, or an identifier of uploaded bytes. */
  readonly source: string;
  readonly logo: string | null;
  readonly until: number;
  /** Number of failed fetches since the last success. */
  readonly failures: number;
}

export class Logos {
  readonly #outbound: Outbound;
  readonly #logger: Logger;
  readonly #now: () => Date;
  readonly #timeoutMs: number;
  readonly #redraw: typeof redraw;
  /** Cache by company, so that no company evicts another's. */
  readonly #kept = new Map<string, CachedLogo>();
  readonly #loading = new Map<string, Promise<string | null>>();
  #characters = 0;

  constructor(deps: {
    readonly outbound: Outbound;
    readonly logger: Logger;
    readonly now: () => Date;
    /** Time limit for one logo, redirects included; 3 s by default. */
    readonly timeoutMs?: number;
    readonly redraw?: typeof redraw;
  }) {
    this.#outbound = deps.outbound;
    this.#logger = deps.logger;
    this.#now = deps.now;
    this.#timeoutMs = deps.timeoutMs ?? 3000;
    this.#redraw = deps.redraw ?? redraw;
  }

  /** Draws a company's uploaded image as a data URI; null, with a log record, if it cannot be drawn. */
  draw(tenantId: string, bytes: Uint8Array): Promise<string | null> {
    const source = createHash('sha256').update(bytes).digest('base64');
    return this.#from(tenantId, source, { kind: 'uploaded' }, async () => bytes);
  }

  /**
   * Loads the image at a company's web address as a data URI. A good image stays in use while its server fails.
   * Documents rendered at the same time share one fetch.
   * @returns null, with a log record, if there is none to print: documents do not wait for their logo
   */
  load(tenantId: string, url: string): Promise<string | null> {
    // Neither path nor query is logged: they may be secret.
    const host = URL.canParse(url) ? new URL(url).host : null;
    return this.#from(tenantId, url, { kind: 'fetched', host }, () => this.#fetch(url));
  }

  async #from(tenantId: string, source: string, about: About, read: Read): Promise<string | null> {
    const kept = this.#kept.get(tenantId);
    if (kept !== undefined && kept.until > this.#now().getTime()) {
      if (kept.source === source) return this.#keep(tenantId, kept);
      if (kept.failures >= FREE_TRIES && about.kind === 'fetched') return null;
    }
    const name = `${tenantId} ${source}`;
    const loading =
      this.#loading.get(name) ?? this.#make(tenantId, source, about, read).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #make(tenantId: string, source: string, about: About, read: Read): Promise<string | null> {
    const before = this.#kept.get(tenantId);
    try {
      const drawn = await this.#redraw(await read());
      const logo = `data:image/png;base64,${drawn.toString('base64')}`;
      return this.#keep(tenantId, { source, logo, until: this.#now().getTime() + FRESH_MS, failures: 0 });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof ImageRefused ? `The image ${message}` : message;
      const fields = { tenant_id: tenantId, ...about, reason };
      this.#logger.warn(fields, 'A document is printed without its logo, or with the previous one');
      const failures = (before?.failures ?? 0) + 1;
      const wait = Math.min(MAX_FAILED_MS, FAILED_MS * 2 ** (failures - 1));
      const logo = before?.source === source ? before.logo : null;
      return this.#keep(tenantId, { source, logo, until: this.#now().getTime() + wait, failures });
    }
  }

  #keep(tenantId: string, kept: CachedLogo): string | null {
    this.#forget(tenantId); // The last entry of a map is the newest.
    this.#kept.set(tenantId, kept);
    this.#characters += kept.logo?.length ?? 0;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT && this.#characters <= MAX_KEPT_CHARACTERS) break;
      this.#forget(oldest);
    }
    return kept.logo;
  }

  #forget(tenantId: string): void {
    this.#characters -= this.#kept.get(tenantId)?.logo?.length ?? 0;
    this.#kept.delete(tenantId);
  }

  async #fetch(url: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let target = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await this.#get(target, signal);
      if (answer.status === 200) return answer.body;
      if (answer.location === undefined || answer.status < 300 || answer.status > 399) {
        throw new Error(`The answer was ${answer.status}`);
      }
      if (!URL.canParse(answer.location, target)) throw new Error('A redirect leads nowhere');
      target = new URL(answer.location, target).href;
    }
    throw new Error('There are too many redirects');
  }

  #get(target: string, signal: AbortSignal): Promise<OutboundAnswer> {
    const [address = ''] = target.split('#');
    // Whether the address may be called is decided on connecting.
    const fault = urlFault(address);
    if (fault !== null) throw new Error(`The address ${fault.message}`);
    return this.#outbound.send({
      url: address,
      method: 'GET',
      headers: { accept: 'image/*', 'user-agent': 'business-management-service' },
      body: null,
      timeoutMs: this.#timeoutMs,
      maxAnswerBytes: MAX_IMAGE_BYTES + 1,
      signal,
    });
  }
}
