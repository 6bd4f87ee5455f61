/**
 * Packs answers that stay the same while the process runs: compressed once for each content coding, with an ETag, so that sending them
 * again costs next to nothing.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RouteResponse } from './route.ts';

type Coding = 'br' | 'gzip' | 'identity';

/** The codings on offer, the smallest first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];
/** Nearly as small as the highest, at a tenth of its time. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

const pack: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  identity: async (bytes) => bytes,
};

interface PackedBody {
  readonly tag: string;
  readonly bodies: Readonly<Record<Coding, Buffer>>;
}

/** Whether the client accepts a content coding. */
export type AcceptsCoding = (coding: string) => boolean;

export class Packed {
  readonly #load: () => string | Buffer | Promise<string | Buffer>;
  readonly #headers: Readonly<Record<string, string>>;
  #packed: Promise<PackedBody> | undefined;

  /**
   * @param load the body; called once
   * @param headers of each answer, with its Content-Type
   */
  constructor(load: () => string | Buffer | Promise<string | Buffer>, headers: Readonly<Record<string, string>>) {
    this.#load = load;
    // Otherwise, it would be compressed again for clients that accept another coding only.
    const { 'Cache-Control': caching } = headers;
    this.#headers = {
      ...headers,
      'Cache-Control': caching === undefined ? 'no-transform' : `${caching}, no-transform`,
    };
  }

  /** Loads and packs the body before the first request needs it. */
  async prepare(): Promise<void> {
    this.#packed ??= this.#pack();
    await this.#packed;
  }

  /** The answer in the smallest coding that the client accepts. Routes declare `whole`, so that clients who have it get a 304. */
  async answer(accepts: AcceptsCoding): Promise<RouteResponse<Buffer>> {
    this.#packed ??= this.#pack();
    const { tag, bodies } = await this.#packed;
    const coding = CODINGS.find(accepts) ?? 'identity';
    const encoding = coding === 'identity' ? {} : { 'Content-Encoding': coding };
    return {
      status: 200,
      body: bodies[coding],
      headers: { ...this.#headers, ...encoding, ETag: `"${tag}-${coding}"` },
    };
  }

  async #pack(): Promise<PackedBody> {
    const bytes = Buffer.from(await this.#load());
    const [br, gzip, identity] = await Promise.all([pack.br(bytes), pack.gzip(bytes), pack.identity(bytes)]);
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { tag, bodies: { br, gzip, identity } };
  }
}
