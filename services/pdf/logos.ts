/** Fetches the images in the heads of documents, and keeps the latest of them for a while. */
import type { Logger } from 'pino';
import { imageFault, imageInfo, MAX_IMAGE_BYTES } from '../../domain/images.ts';
import { targetFault } from '../../domain/webhooks/targets.ts';
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
  readonly #kept = new Map<string, KeptLogo>();

  constructor(deps: {
    readonly outbound: Outbound;
    readonly logger: Logger;
    readonly now: () => Date;
    /** For the whole of one logo, redirects included; 5 s. */
    readonly timeoutMs?: number;
  }) {
    this.#outbound = deps.outbound;
    this.#logger = deps.logger;
    this.#now = deps.now;
    this.#timeoutMs = deps.timeoutMs ?? 5000;
  }

  /**
   * The image of a web address as a data URI. One that was good stays so while its server fails.
   * @returns null when there is none that can be printed, which is logged: no document waits for its logo
   */
  async load(url: string): Promise<string | null> {
    const now = this.#now().getTime();
    const kept = this.#kept.get(url);
    if (kept !== undefined && kept.until > now) return this.#keep(url, kept);
    try {
      return this.#keep(url, { logo: await this.#fetch(url), until: now + FRESH_MS });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // Neither path nor query: they may be somebody's secret.
      const host = URL.canParse(url) ? new URL(url).host : null;
      this.#logger.warn({ host, reason }, 'The logo of a document could not be fetched');
      return this.#keep(url, { logo: kept?.logo ?? null, until: now + FAILED_MS });
    }
  }

  #keep(url: string, kept: KeptLogo): string | null {
    this.#kept.delete(url); // the last one of a map is the newest
    this.#kept.set(url, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return kept.logo;
  }

  async #fetch(url: string): Promise<string> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let target = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await this.#get(target, signal);
      if (answer.status === 200) return dataUri(answer.body);
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

/** @throws Error when the bytes are no image that is printed */
function dataUri(bytes: Buffer): string {
  const fault = imageFault(bytes);
  if (fault !== undefined) throw new Error(`The image ${fault}`);
  return asDataUri(imageInfo(bytes)?.type ?? '', bytes);
}

/** What a page has in the place of an address. */
export function asDataUri(contentType: string, bytes: Buffer): string {
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}
