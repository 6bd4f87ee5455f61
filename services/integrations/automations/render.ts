/** Fills in the templates of an action. */
import { type Filled, fill, fillValue, Room, type Target } from '../../../domain/integrations/automations/templates.ts';
import { camelCase } from '../../../domain/words.ts';
import type { Action } from './schemas.ts';

export interface RenderedAction {
  /** The action with filled-in templates. */
  readonly rendered: Readonly<Record<string, unknown>>;
  /** Paths without data, each once. */
  readonly unknown: readonly string[];
}

/** Contexts of data in templates, other than plain text. */
const TARGETS: Readonly<Record<string, Target>> = { body_html: 'html', url: 'url' };
/** Text fields of documents. */
const TEXTS = new Set(['internalNotes', 'notes', 'reference']);
/** Members other than templates. */
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

/** Fills in an action. @throws TooLong if its templates together become too long */
export function renderAction(action: Action, data: unknown): RenderedAction {
  const source: Source = { data, room: new Room() };
  const unknown = new Set<string>();
  const keep = <Value>(filled: Filled<Value>): Value => {
    for (const path of filled.unknown) unknown.add(path);
    return filled.value;
  };
  const members = Object.entries(action).map(([name, value]) => {
    if (LITERAL.has(name)) return [name, value];
    if (name === 'body' && 'url' in action) return [name, keep(fillBody(value, action.headers ?? {}, source))];
    const isDeep = name === 'value' ? !isText(action) : name === 'params' && action.type === 'plugin.execute';
    return [name, keep(isDeep ? fillDeep(value, source) : fillMember(name, value, source))];
  });
  return { rendered: Object.fromEntries(members) as RenderedAction['rendered'], unknown: [...unknown] };
}

/** Whether the body of a call is JSON, by its Content-Type or, without one, by its first character. */
export function isJsonBody(body: unknown, headers: Readonly<Record<string, string>>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (typeof body !== 'string') return true;
  return type === undefined ? /^\s*[[{]/.test(body) : /json/i.test(type);
}

/** The data for templates, and the remaining characters. */
interface Source {
  readonly data: unknown;
  readonly room: Room;
}

/** Whether an action sets a text field, in which numbers are written as text. */
function isText(action: Action): boolean {
  return (
    action.type === 'document.update_field' && typeof action.value === 'string' && TEXTS.has(camelCase(action.field))
  );
}

function fillBody(body: unknown, headers: Readonly<Record<string, string>>, source: Source): Filled<unknown> {
  if (typeof body !== 'string') return fillDeep(body, source);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const { data, room } = source;
  if (isJsonBody(body, headers)) return fill(body, data, 'json', room);
  return fill(body, data, /urlencoded/i.test(type) ? 'url' : /html|xml/i.test(type) ? 'html' : 'text', room);
}

function fillMember(name: string, value: unknown, { data, room }: Source): Filled<unknown> {
  if (typeof value === 'string') return fill(value, data, TARGETS[name] ?? 'text', room);
  if (name !== 'headers' || typeof value !== 'object' || value === null) return { value, unknown: [] };
  return fillEach(value, (text) => fill(String(text), data, 'header', room));
}

/** Fills in all texts within a value; a text that is a single placeholder becomes the data itself. */
function fillDeep(value: unknown, source: Source): Filled<unknown> {
  if (typeof value === 'string') return fillValue(value, source.data, source.room);
  if (typeof value !== 'object' || value === null) return { value, unknown: [] };
  if (!Array.isArray(value)) return fillEach(value, (member) => fillDeep(member, source));
  const entries = value.map((entry) => fillDeep(entry, source));
  return { value: entries.map((entry) => entry.value), unknown: entries.flatMap((entry) => entry.unknown) };
}

function fillEach(holder: object, filled: (value: unknown) => Filled<unknown>): Filled<unknown> {
  const members = Object.entries(holder).map(([name, value]) => ({ name, ...filled(value) }));
  return {
    value: Object.fromEntries(members.map(({ name, value }) => [name, value])),
    unknown: members.flatMap((member) => member.unknown),
  };
}
