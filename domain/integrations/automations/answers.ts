/** Answers of calls, as templates of later actions see them: `{{actions[0].response.body.id}}` (decision 0250). */
import { pathSteps } from '../../platform/conditions/paths.ts';

/** Maximum bytes of an answer whose body is kept. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Maximum levels of a body: deeper data would not fit the stack of those who go through it. */
const MAX_DEPTH = 50;
const MAX_HEADERS = 50;
const MAX_HEADER = 1000;

/** Actions that call another server, and so have an answer. */
export const CALLING_ACTIONS: ReadonlySet<string> = new Set(['webhook.call', 'http.request', 'plugin.execute']);

/** An answer to a call, as templates see it. */
export interface Response {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or text. */
  readonly body?: unknown;
  /** The reason why the body is not kept. */
  readonly lost?: string;
}

/** An answer as it comes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of it, with one byte more than the maximum if it is longer. */
  readonly body: Buffer;
}

/** Prepares an answer for templates. */
export function keptResponse({ status, headers, body }: Answer): Response {
  const head = { status, headers: keptHeaders(headers) };
  if (body.length > MAX_ANSWER_BYTES) return { ...head, lost: `has more than ${MAX_ANSWER_BYTES / 1024} KB` };
  try {
    return { ...head, body: parsed(body.toString('utf8')) };
  } catch (error) {
    if (error instanceof TooDeep) return { ...head, lost: `has more than ${MAX_DEPTH} levels` };
    throw error;
  }
}

/** A path into an answer: the index of its action, and the member of the answer. */
export interface AnswerPath {
  readonly path: string;
  /** NaN if the path names no action. */
  readonly action: number;
  /** Whether it is a path that can lead somewhere. */
  readonly isValid: boolean;
  readonly isBody: boolean;
}

/** Reads a path of a template; null unless it leads into an answer. */
export function answerPath(path: string): AnswerPath | null {
  const [first, index = '', response, member] = pathSteps(path);
  if (first !== 'actions') return null;
  const isValid = response === 'response' && ['status', 'headers', 'body'].includes(member ?? '');
  return { path, action: /^\d{1,2}$/.test(index) ? Number(index) : Number.NaN, isValid, isBody: member === 'body' };
}

class TooDeep extends Error {}

function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const some = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    some.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, storable([value].flat().join(', ').slice(0, MAX_HEADER))]],
    ),
  );
}

function parsed(text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    return storable(text);
  }
  return storableData(JSON.parse(text.replaceAll(TOKENS, exactNumber)), 0);
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Digits that a number can have without becoming another one. */
const EXACT_DIGITS = 15;

/** Long numbers, such as ids of 64 bits, become texts: as numbers they would become others. */
function exactNumber(token: string): string {
  return token.startsWith('"') || token.replaceAll(/\D/g, '').length <= EXACT_DIGITS ? token : `"${token}"`;
}

function storableData(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new TooDeep();
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => storableData(entry, depth + 1));
  const members = Object.entries(value).map(([name, member]) => [storable(name), storableData(member, depth + 1)]);
  return Object.fromEntries(members);
}

/** A text as PostgreSQL can store it. */
function storable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\u{FFFD}');
}
