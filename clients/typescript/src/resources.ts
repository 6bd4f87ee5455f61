/** Makes the methods of all resources from the table of operations. */
import { type DownloadedFile, toFile, toForm, type Upload } from './files.ts';
import { Listing } from './listing.ts';
import type { CallOptions, ChangeOptions } from './methods.ts';
import type { Transport } from './transport.ts';

/** `kind METHOD path`: how a method is called, and the request that it makes. */
export type TableEntry = `${Kind} ${string}`;
/** list, get, file, send (with a body), act (without), upload. */
export type Kind = 'list' | 'get' | 'file' | 'send' | 'act' | 'upload';
export interface Table {
  readonly [name: string]: TableEntry | Table;
}

type Arguments = readonly unknown[];
type Query = { readonly [name: string]: unknown };

/** Builds the methods of a table, with those of its inner tables. */
export function buildResources(transport: Transport, table: Table): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === 'string' ? method(transport, entry) : buildResources(transport, entry),
    ]),
  );
}

function method(transport: Transport, entry: TableEntry): (...args: unknown[]) => unknown {
  const [kind, verb = '', path = ''] = entry.split(' ') as [Kind, string, string];
  const ids = path.split('{').length - 1;
  const run = CALLS[kind];
  return (...args) => run(transport, verb, withIds(path, args.slice(0, ids)), args.slice(ids));
}

/** Puts ids in their places. @throws TypeError for one that is missing, which would ask for something else */
function withIds(path: string, ids: Arguments): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[index++];
    if (typeof id !== 'string' || id === '') throw new TypeError(`${name} must be a text`);
    return encodeURIComponent(id);
  });
}

type Run = (transport: Transport, verb: string, path: string, args: Arguments) => unknown;

const CALLS: Readonly<Record<Kind, Run>> = {
  list(transport, _verb, path, [query = {}, options]) {
    return new Listing(transport, path, query as Query, (options as CallOptions | undefined)?.signal);
  },
  async get(transport, verb, path, [query = {}, options = {}]) {
    return toData(await transport.send(verb, path, { query: query as Query, ...(options as CallOptions) }));
  },
  async file(transport, verb, path, [query = {}, options = {}]): Promise<DownloadedFile> {
    return toFile(await transport.send(verb, path, { query: query as Query, ...(options as CallOptions) }));
  },
  async send(transport, verb, path, [body, options = {}]) {
    return toData(await transport.send(verb, path, { body, ...(options as ChangeOptions) }));
  },
  async act(transport, verb, path, [options = {}]) {
    return toData(await transport.send(verb, path, options as ChangeOptions));
  },
  async upload(transport, verb, path, [file, options = {}]) {
    const { name = 'file', ...rest } = options as ChangeOptions & { readonly name?: string };
    return toData(await transport.send(verb, path, { body: toForm(file as Upload, name), ...rest }));
  },
};

/** The member `data`, or the whole answer of those without it; undefined for an answer without content. */
async function toData(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const body = (await response.json()) as { data?: unknown };
  return body !== null && typeof body === 'object' && 'data' in body ? body.data : body;
}
