/** Templates of automations: texts in which `{{path}}` stands for data. Only paths are supported; templates contain no code. */
import { pathFault, valueAt } from '../../platform/conditions/paths.ts';

/** Contexts of filled-in texts, for which data is escaped. */
export const TARGETS = ['text', 'html', 'url', 'json', 'header'] as const;
export type Target = (typeof TARGETS)[number];

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const MAX_PLACEHOLDERS = 200;
/** Maximum characters of all filled-in templates of an action: twice an order of 1,000 lines as JSON. */
export const MAX_FILLED = 2_000_000;

/** Thrown when filled-in templates exceed the maximum. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Remaining characters for the filled-in templates of one action. */
export class Room {
  #left = MAX_FILLED;

  /** @throws TooLong */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooLong(`Its templates become more than ${MAX_FILLED} characters`);
  }
}

export interface Filled<Value = string> {
  readonly value: Value;
  /** Paths without data, each once. */
  readonly unknown: readonly string[];
}

/** Lists the paths in a template, in order. */
export function templatePaths(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => path.trim());
}

/** Finds the fault of a template; null if it is valid. */
export function templateFault(template: string): { readonly code: string; readonly message: string } | null {
  const paths = templatePaths(template);
  if (paths.length > MAX_PLACEHOLDERS) {
    return { code: 'too_many', message: `must have at most ${MAX_PLACEHOLDERS} placeholders` };
  }
  for (const path of paths) {
    const fault = pathFault(path);
    if (fault !== null) return { code: 'invalid_path', message: `has {{${path.slice(0, 60)}}}, which ${fault}` };
  }
  return null;
}

/**
 * Fills in a template. Missing data becomes empty; in JSON, null outside of texts.
 * @throws TooLong
 */
export function fill(template: string, data: unknown, target: Target, room = new Room()): Filled {
  const unknown = new Set<string>();
  const filled = new Map<string, string>();
  let text = '';
  let end = 0;
  let isInText = false;
  const add = (part: string): void => {
    room.take(part.length);
    text += part;
  };
  for (const { 0: whole, 1: inner = '', index } of template.matchAll(PLACEHOLDER)) {
    const before = template.slice(end, index);
    if (target === 'json') isInText = endsInText(before, isInText);
    end = index + whole.length;
    const path = inner.trim();
    const value = valueAt(data, path);
    if (value === undefined) unknown.add(path);
    add(before);
    const key = `${isInText}:${path}`;
    const part = filled.get(key) ?? escaped(value, target, isInText);
    filled.set(key, part);
    add(part);
  }
  add(template.slice(end));
  return { value: text, unknown: [...unknown] };
}

/** Fills in a template; one that is a single placeholder becomes the data itself. @throws TooLong */
export function fillValue(template: string, data: unknown, room = new Room()): Filled<unknown> {
  const [, path] = /^\{\{([^{}]*)\}\}$/.exec(template.trim()) ?? [];
  if (path === undefined) return fill(template, data, 'text', room);
  const value = valueAt(data, path.trim());
  room.take(toText(value).length);
  return { value: value ?? null, unknown: value === undefined ? [path.trim()] : [] };
}

/** Converts data to text: lists of plain values with commas, objects as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null);
  return isPlain ? value.map(toText).join(', ') : JSON.stringify(value);
}

function escaped(value: unknown, target: Target, isInText: boolean): string {
  switch (target) {
    case 'text':
      return toText(value);
    case 'html':
      return toText(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    case 'url':
      return encodeURIComponent(toText(value));
    case 'json':
      return isInText ? JSON.stringify(toText(value)).slice(1, -1) : JSON.stringify(value ?? null);
    case 'header':
      // Visible Latin characters: a line end would begin another header.
      return toText(value).replaceAll(/[^\x20-\x7e\xa0-\xff]+/g, ' ');
  }
}

/** Whether a piece of JSON ends within a text. */
function endsInText(piece: string, begins: boolean): boolean {
  let isInText = begins;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === '"') isInText = !isInText;
    else if (isInText && piece[at] === '\\') at++;
  }
  return isInText;
}
