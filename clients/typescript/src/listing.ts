/** Lists: a page at a time, or all rows one after the other. */
import type { Transport } from './transport.ts';

export interface Pagination {
  /** Number of matching rows. */
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly has_more: boolean;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: Pagination;
}

/** Rows of a page while all rows are read: as many as the service gives. */
const ROWS = 500;

/** The rows of a list: `for await (const row of listing)` reads all of them, page by page. */
export class Listing<Row> implements AsyncIterable<Row> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: { readonly [name: string]: unknown };
  readonly #signal: AbortSignal | undefined;

  constructor(
    transport: Transport,
    path: string,
    query: { readonly [name: string]: unknown },
    signal: AbortSignal | undefined,
  ) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
    this.#signal = signal;
  }

  /** Reads one page. @param number from 1 @throws ServiceError, ConnectionError */
  async page(number?: number): Promise<Page<Row>> {
    const query = number === undefined ? this.#query : { ...this.#query, page: number };
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const response = await this.#transport.send('GET', this.#path, { query, ...signal });
    return (await response.json()) as Page<Row>;
  }

  /** The first row; undefined for none. */
  async first(): Promise<Row | undefined> {
    const { data } = await new Listing<Row>(
      this.#transport,
      this.#path,
      { ...this.#query, limit: 1 },
      this.#signal,
    ).page(1);
    return data[0];
  }

  /** All rows at once. @param options.max after which it stops */
  async toArray({ max = Number.POSITIVE_INFINITY }: { readonly max?: number } = {}): Promise<Row[]> {
    const rows: Row[] = [];
    if (max <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= max) break;
    }
    return rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const all = new Listing<Row>(this.#transport, this.#path, { limit: ROWS, ...this.#query }, this.#signal);
    for (let number = 1; ; number++) {
      const { data, pagination } = await all.page(number);
      yield* data;
      if (!pagination.has_more) return;
    }
  }
}
