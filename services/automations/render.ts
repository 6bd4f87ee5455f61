/** Fills the templates of an action in. */
import { type Filled, fill, fillValue, Room, type Target } from '../../domain/automations/templates.ts';
import { camelCase } from '../../domain/words.ts';
import type { Action } from './schemas.ts';

export interface RenderedAction {
  /** The action, its templates filled in. */
  readonly rendered: Readonly<Record<string, unknown>>;
  /** Paths that led to nothing, each once. */
  readonly unknown: readonly string[];
}

/** Where data stands in the templates of actions, unless it is plain text. */
const TARGETS: Readonly<Record<string, Target>> = { body_html: 'html', url: 'url' };
/** Fields of documents that hold texts. */
const TEXTS = new Set(['internalNotes', 'notes', 'reference']);
/** Members that are no templates. */
const LITERAL = new Set([
  'type',
  'method',
  'field',
  'role',
  'document_type',
  'when',
  'report_name',
  'format',
  'mode',
  'plugin_id',
  'action',
]);

/** @throws TooLong when its templates become too long together */
export function renderAction(action: Action, data: unknown): RenderedAction {
  const source: Source = { data, room: new Room() };
  const unknown = new Set<string>();
  const keep = <Value>(filled: Filled<Value>): Value => {
    for (const path of filled.unknown) unknown.add(path);
    return filled.value;
  };
  const members = Object.entries(action).map(([name, value]) => {
    if (LITERAL.has(name)) return [name, value];
    if (name === 'body' && 'url' in action) return [name, keep(bodyOf(value, action.headers ?? {}, source))];
    const isDeep = name === 'value' ? !isText(action) : name === 'params' && action.type === 'plugin.execute';
    return [name, keep(isDeep ? deeply(value, source) : filledIn(name, value, source))];
  });
  return { rendered: Object.fromEntries(members) as RenderedAction['rendered'], unknown: [...unknown] };
}

/** Whether the body of a call is JSON, by its Content-Type or, without one, by what it looks like. */
export function isJsonBody(body: unknown, headers: Readonly<Record<string, string>>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (typeof body !== 'string') return true;
  return type === undefined ? /^\s*[[{]/.test(body) : /json/i.test(type);
}

/** What templates are filled from, and how much they may become. */
interface Source {
  readonly data: unknown;
  readonly room: Room;
}

/** Whether an action gives a text to a field of texts, where a number is written out. */
function isText(action: Action): boolean {
  return (
    action.type === 'document.update_field' && typeof action.value === 'string' && TEXTS.has(camelCase(action.field))
  );
}

function bodyOf(body: unknown, headers: Readonly<Record<string, string>>, source: Source): Filled<unknown> {
  if (typeof body !== 'string') return deeply(body, source);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const { data, room } = source;
  if (isJsonBody(body, headers)) return fill(body, data, 'json', room);
  return fill(body, data, /urlencoded/i.test(type) ? 'url' : /html|xml/i.test(type) ? 'html' : 'text', room);
}

function filledIn(name: string, value: unknown, { data, room }: Source): Filled<unknown> {
  if (typeof value === 'string') return fill(value, data, TARGETS[name] ?? 'text', room);
  if (name !== 'headers' || typeof value !== 'object' || value === null) return { value, unknown: [] };
  return each(value, (text) => fill(String(text), data, 'header', room));
}

/** A value whose texts are templates; a text that is one placeholder becomes the data itself. */
function deeply(value: unknown, source: Source): Filled<unknown> {
  if (typeof value === 'string') return fillValue(value, source.data, source.room);
  if (typeof value !== 'object' || value === null) return { value, unknown: [] };
  if (!Array.isArray(value)) return each(value, (member) => deeply(member, source));
  const entries = value.map((entry) => deeply(entry, source));
  return { value: entries.map((entry) => entry.value), unknown: entries.flatMap((entry) => entry.unknown) };
}

function each(holder: object, filled: (value: unknown) => Filled<unknown>): Filled<unknown> {
  const members = Object.entries(holder).map(([name, value]) => ({ name, ...filled(value) }));
  return {
    value: Object.fromEntries(members.map(({ name, value }) => [name, value])),
    unknown: members.flatMap((member) => member.unknown),
  };
}
