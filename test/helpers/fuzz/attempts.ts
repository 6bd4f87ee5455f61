/** Attempts of the fuzzer on a route: each is a request with one place that grows. */

import { querySchema } from '../../../api/pipeline/parameters.ts';
import type { Route } from '../../../api/route.ts';
import { type Growth, list, members, TEXTS, VALUES } from './growths.ts';
import type { Random } from './random.ts';
import { existingId, type Ids, type Schema, sampleBody } from './sample.ts';
import { grownFile } from './upload.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | null;
  readonly type: string;
}

export interface Attempt {
  /** Method and declared path. */
  readonly route: string;
  /** Where and how it grows, as in `/lines/0/notes: digits`. */
  readonly how: string;
  /** The largest size that is of use, in bytes. */
  readonly most: number;
  make(bytes: number): Sent;
}

const KIB = 1024;
/** Heads of requests have 16 KiB. */
const MAX_QUERY = 6 * KIB;
/** Growths are a little larger than they are asked for. */
const MAX_BODY = 850 * KIB;
/** Shows what grows faster than it should, at a fifth of the time. */
const USUAL_BODY = 170 * KIB;
const MAX_PUBLIC_BODY = 13 * KIB;

/** A place in a body: the value there, the names and positions that lead to it, and what its schema allows. */
interface Place {
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
  readonly schema: Schema | undefined;
}

/** An attempt on a route: on its body, if it has one, or on its query. */
export function attempt(route: Route, ids: Ids, random: Random): Attempt {
  if (route.upload !== undefined) return uploadAttempt(route, ids, random);
  if (route.body === undefined || random.next() < 0.1) return queryAttempt(route, ids, random);
  return bodyAttempt(route, ids, random);
}

function bodyAttempt(route: Route, ids: Ids, random: Random): Attempt {
  const path = filledPath(route, ids, random);
  const body = sampleBody(route, ids, random);
  const places = placesIn(body, route.body as Schema);
  const open = places.filter(({ value, schema }) => Array.isArray(value) || isOpenText(schema));
  const place = random.pick(open.length > 0 && random.next() < 0.5 ? open : places);
  const { growth, name, limit } = growthAt(place, random);
  const whole = route.access === 'public' ? MAX_PUBLIC_BODY : random.next() < 0.2 ? MAX_BODY : USUAL_BODY;
  // What is accepted and what is refused cost at different places.
  const most = limit !== undefined && random.next() < 0.7 ? Math.min(limit, whole) : whole;
  return {
    route: routeName(route),
    how: `/${place.steps.join('/')}: ${name}`,
    most,
    make: (bytes) => json(route, path, replaced(body, place.steps, growth(bytes))),
  };
}

/** Whether a text may have any form, so that it is accepted as long as it is short enough. */
function isOpenText(schema: Schema | undefined): boolean {
  return schema?.maxLength !== undefined && schema.format === undefined && schema.enum === undefined;
}

function growthAt({ value, schema }: Place, random: Random): { name: string; growth: Growth; limit?: number } {
  if (Array.isArray(value) && random.next() < 0.7) {
    const entry: unknown = value[0] ?? {};
    const size = JSON.stringify(entry).length + 1;
    const limit = schema?.maxItems === undefined ? undefined : schema.maxItems * size;
    const growth: Growth = (bytes) => list(bytes / size, () => entry);
    return { name: 'repeated entries', growth, ...(limit === undefined ? {} : { limit }) };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.next() < 0.7) {
    return { name: 'more members', growth: (bytes) => ({ ...value, ...members(bytes / 14, () => 1) }) };
  }
  if (typeof value === 'string' && random.next() < 0.8) {
    const name = random.pick(Object.keys(TEXTS));
    const limit = schema?.maxLength;
    return { name, growth: TEXTS[name] as Growth, ...(limit === undefined ? {} : { limit }) };
  }
  const name = random.pick(Object.keys(VALUES));
  return { name, growth: VALUES[name] as Growth };
}

/** Every place within a value, with its schema where that is plain. */
function placesIn(value: unknown, schema: Schema | undefined, steps: readonly (string | number)[] = []): Place[] {
  const here = { steps, value, schema };
  if (Array.isArray(value)) {
    return [here, ...value.slice(0, 2).flatMap((entry, at) => placesIn(entry, schema?.items, [...steps, at]))];
  }
  if (typeof value !== 'object' || value === null) return [here];
  const inside = Object.entries(value).flatMap(([name, entry]) =>
    placesIn(entry, schema?.properties?.[name], [...steps, name]),
  );
  return [here, ...inside];
}

function replaced(value: unknown, [step, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((entry, at) => (at === step ? replaced(entry, rest, by) : entry));
  return { ...(value as object), [step]: replaced((value as Record<string, unknown>)[step], rest, by) };
}

function queryAttempt(route: Route, ids: Ids, random: Random): Attempt {
  const names = Object.keys((querySchema(route) as Schema).properties ?? {});
  const name = names.length === 0 ? 'unknown' : random.pick(names);
  const parameter = random.pick([name, `${name}[in]`, `${name}[contains]`, name]);
  const text = random.pick([...Object.keys(TEXTS), 'ids', 'names', 'many parameters']);
  const path = filledPath(route, ids, random);
  const values: Record<string, Growth> = {
    ...TEXTS,
    ids: (bytes) => list(bytes / 37, () => existingId(ids, route.path, random)).join(','),
    names: (bytes) => list(bytes / 8, () => random.pick(names.length === 0 ? ['a'] : names)).join(','),
  };
  const query = (bytes: number) =>
    text === 'many parameters'
      ? list(bytes / 12, (at) => `custom_${at}=1`).join('&')
      : `${encodeURIComponent(parameter)}=${encodeURIComponent(String(values[text]?.(bytes))).slice(0, MAX_QUERY)}`;
  const make = (bytes: number): Sent => ({
    method: route.method,
    path: `${path}?${query(bytes)}`.replace(/%.?$/, ''),
    body: null,
    type: '',
  });
  return { route: routeName(route), how: `?${parameter}: ${text}`, most: MAX_QUERY, make };
}

function uploadAttempt(route: Route, ids: Ids, random: Random): Attempt {
  const { name, make } = grownFile(random);
  const path = filledPath(route, ids, random);
  return {
    route: routeName(route),
    how: name,
    most: MAX_BODY,
    make: (bytes) => ({ method: route.method, path: `${path}?name=a.csv`, ...make(bytes) }),
  };
}

/** A read as it is meant, with the longest page where it is a list. */
export function plainRead(route: Route, ids: Ids, random: Random): Attempt {
  const { limit } = (querySchema(route) as Schema).properties ?? {};
  const query = limit?.maximum === undefined ? '' : `?limit=${limit.maximum}`;
  const path = filledPath(route, ids, random) + query;
  const make = (): Sent => ({ method: route.method, path, body: null, type: '' });
  return { route: routeName(route), how: 'as it is meant', most: 0, make };
}

function routeName({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The path of a route with ids of its list. */
function filledPath(route: Route, ids: Ids, random: Random): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string, offset: number) => {
    if (name === 'year') return '2026';
    if (name === 'table' || name === 'resource') return 'partners';
    return existingId(ids, route.path.slice(0, offset - 1), random);
  });
}

function json({ method }: Route, path: string, body: unknown): Sent {
  return { method, path, body: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}
