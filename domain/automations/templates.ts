/** Templates of automations: texts in which `{{path}}` stands for data. Paths only; whatever else a template may want to say is no code. */
import { pathFault, valueAt } from '../conditions/paths.ts';

/** What a filled-in text is part of: data is escaped for it. */
export const TARGETS = ['text', 'html', 'url', 'json', 'header'] as const;
export type Target = (typeof TARGETS)[number];

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const MOST_PLACEHOLDERS = 200;
/** The most characters that the templates of an action may become together: twice an order of 1,000 lines as JSON. */
export const MOST_FILLED = 2_000_000;

/** Templates became longer than they may. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** How much the templates of one action may still become. */
export class Room {
  #left = MOST_FILLED;

  /** @throws TooLong */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooLong(`Its templates become more than ${MOST_FILLED} characters`);
  }
}

export interface Filled<Value = string> {
  readonly value: Value;
  /** Paths that led to nothing, each once. */
  readonly unknown: readonly string[];
}

/** The paths in a template, in order. */
export function pathsIn(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => path.trim());
}

/** Why a text cannot be a template; null if it can. */
export function templateFault(template: string): { readonly code: string; readonly message: string } | null {
  const paths = pathsIn(template);
  if (paths.length > MOST_PLACEHOLDERS) {
    return { code: 'too_many', message: `must have at most ${MOST_PLACEHOLDERS} placeholders` };
  }
  for (const path of paths) {
    const fault = pathFault(path);
    if (fault !== null) return { code: 'invalid_path', message: `has {{${path.slice(0, 60)}}}, which ${fault}` };
  }
  return null;
}

/**
 * Fills a template in. What is missing is empty; in JSON, null outside of texts.
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

/** The data itself where the whole template is one placeholder; else the filled text. @throws TooLong */
export function fillValue(template: string, data: unknown, room = new Room()): Filled<unknown> {
  const [, path] = /^\{\{([^{}]*)\}\}$/.exec(template.trim()) ?? [];
  if (path === undefined) return fill(template, data, 'text', room);
  const value = valueAt(data, path.trim());
  room.take(textOf(value).length);
  return { value: value ?? null, unknown: value === undefined ? [path.trim()] : [] };
}

/** Data as it stands in a text: lists of plain values with commas, what has members as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null);
  return isPlain ? value.map(textOf).join(', ') : JSON.stringify(value);
}

function escaped(value: unknown, target: Target, isInText: boolean): string {
  switch (target) {
    case 'text':
      return textOf(value);
    case 'html':
      return textOf(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    case 'url':
      return encodeURIComponent(textOf(value));
    case 'json':
      return isInText ? JSON.stringify(textOf(value)).slice(1, -1) : JSON.stringify(value ?? null);
    case 'header':
      // Visible Latin characters: a line end would begin another header.
      return textOf(value).replaceAll(/[^\x20-\x7e\xa0-\xff]+/g, ' ');
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
