/** The types of the methods: what an operation of the service takes and answers, by its id. */
import type { DownloadedFile, Upload } from './files.ts';
import type { operations } from './generated/schema.ts';
import type { Listing } from './listing.ts';

export type OperationId = keyof operations;
type Ids = readonly string[];

/** Options that every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: { readonly [name: string]: string };
}

/** Options of a call that changes something. */
export interface ChangeOptions extends CallOptions {
  /** Key by which a repeated POST is known; a new one for each call by default. */
  readonly idempotencyKey?: string;
  /** The version that was read: a record that has been changed since is not overwritten (StaleVersionError). */
  readonly version?: number;
  /** Parameters of the query string, e.g. `{ preview: 'true' }`. */
  readonly query?: { readonly [name: string]: unknown };
}

type Content<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Answers<O extends OperationId> = operations[O] extends { responses: infer R } ? R[keyof R] : never;

/** The JSON of a successful answer. */
export type Answer<O extends OperationId> = Content<Answers<O>>;
/** The member `data`, or the whole answer of those without it. */
export type Data<O extends OperationId> = Answer<O> extends { data: infer D } ? D : Answer<O>;
/** A row of a list. */
export type Row<O extends OperationId> = Answer<O> extends { data: (infer R)[] } ? R : never;

/** The body of a request. */
export type Body<O extends OperationId> = operations[O] extends { requestBody?: infer B }
  ? Content<Exclude<B, undefined>>
  : never;
type HasOptionalBody<O extends OperationId> = operations[O] extends { requestBody: unknown } ? false : true;

type Parameters<O extends OperationId> = operations[O] extends { parameters: { query?: infer Q } }
  ? Exclude<Q, undefined>
  : object;
/** Lists may be written as arrays, instants as dates. */
type Loose<T> = T extends { in?: string } ? Omit<T, 'in'> & { in?: string | readonly (string | number)[] } : T;
/** The parameters of the query string, with filters by custom fields. */
export type Query<O extends OperationId> = {
  readonly [Name in keyof Parameters<O>]: Loose<Parameters<O>[Name]>;
} & { readonly [custom: `custom_${string}`]: unknown };

export type ListMethod<O extends OperationId, I extends Ids = []> = (
  ...args: [...ids: I, query?: Omit<Query<O>, 'format' | 'fields' | 'header'>, options?: CallOptions]
) => Listing<Row<O>>;
export type GetMethod<O extends OperationId, I extends Ids = []> = (
  ...args: [...ids: I, query?: Query<O>, options?: CallOptions]
) => Promise<Data<O>>;
export type FileMethod<O extends OperationId, I extends Ids = []> = (
  ...args: [...ids: I, query?: Query<O>, options?: CallOptions]
) => Promise<DownloadedFile>;
export type SendMethod<O extends OperationId, I extends Ids = []> =
  HasOptionalBody<O> extends true
    ? (...args: [...ids: I, body?: Body<O>, options?: ChangeOptions]) => Promise<Data<O>>
    : (...args: [...ids: I, body: Body<O>, options?: ChangeOptions]) => Promise<Data<O>>;
/** A call that changes something without a body. */
export type ActMethod<O extends OperationId, I extends Ids = []> = (
  ...args: [...ids: I, options?: ChangeOptions]
) => Promise<Data<O>>;
export type UploadMethod<O extends OperationId, I extends Ids = []> = (
  ...args: [...ids: I, file: Upload, options?: ChangeOptions & { readonly name?: string }]
) => Promise<Data<O>>;
