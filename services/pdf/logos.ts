/** The images in the heads of documents: uploaded or fetched, drawn again, and the latest of them kept for a while. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { MAX_IMAGE_BYTES } from '../../domain/images.ts';
import { targetFault } from '../../domain/webhooks/targets.ts';
import { ImageRefused, redraw } from '../images/redraw.ts';
import type { Outbound, OutboundAnswer } from '../outbound/outbound.ts';

const MAX_REDIRECTS = 3;
const FRESH_MS = 10 * 60_000;
/** A server that did not answer is not asked again for each document. */
const FAILED_MS = 60_000;
/** How many are kept; the one asked for longest ago goes first. */
const MAX_KEPT = 20;

interface KeptLogo {
  readonly logo: string | null;
  readonly until: number;
}

export class Logos {
  readonly #outbound: Outbound;
  readonly #logger: Logger;
  readonly #now: () => Date;
  readonly #timeoutMs: number;
  readonly #redraw: typeof redraw;
  readonly #kept = new Map<string, KeptLogo>();

  constructor(deps: {
    readonly outbound: Outbound;
    readonly logger: Logger;
    readonly now: () => Date;
    /** For the whole of one logo, redirects included; 5 s. */
    readonly timeoutMs?: number;
    readonly redraw?: typeof redraw;
  }) {
    this.#outbound = deps.outbound;
    this.#logger = deps.logger;
    this.#now = deps.now;
    this.#timeoutMs = deps.timeoutMs ?? 5000;
    this.#redraw = deps.redraw ?? redraw;
  }

  /** An uploaded image as a data URI; null, which is logged, when it cannot be drawn. */
  draw(bytes: Uint8Array): Promise<string | null> {
    const key = createHash('sha256').update(bytes).digest('base64');
    return this.#from(key, { kind: 'uploaded' }, async () => bytes);
  }

  /**
   * The image of a web address as a data URI. One that was good stays so while its server fails.
   * @returns null when there is none that can be printed, which is logged: no document waits for its logo
   */
  load(url: string): Promise<string | null> {
    // Neither path nor query are logged: they may be somebody's secret.
    const host = URL.canParse(url) ? new URL(url).host : null;
    return this.#from(url, { kind: 'fetched', host }, () => this.#fetch(url));
  }

  async #from(key: string, about: object, read: () => Promise<Uint8Array>): Promise<string | null> {
    const now = this.#now().getTime();
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > now) return this.#keep(key, kept);
    try {
      const drawn = await this.#redraw(await read());
      const logo = `data:image/png;base64,${drawn.toString('base64')}`;
      return this.#keep(key, { logo, until: now + FRESH_MS });
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      const reason = error instanceof ImageRefused ? `The image ${told}` : told;
      this.#logger.warn({ ...about, reason }, 'A document is printed without its logo, or with the one before');
      return this.#keep(key, { logo: kept?.logo ?? null, until: now + FAILED_MS });
    }
  }

  #keep(key: string, kept: KeptLogo): string | null {
    this.#kept.delete(key); // the last one of a map is the newest
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return kept.logo;
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
    // Whether it may be called at all is decided when connecting.
    const fault = targetFault(address, true);
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
