/** Fills the templates of an action in. */
import { type Filled, fill, fillValue, type Target } from '../../domain/automations/templates.ts';
import type { Action } from './schemas.ts';

export interface RenderedAction {
  /** The action, its templates filled in. */
  readonly rendered: Readonly<Record<string, unknown>>;
  /** Paths that led to nothing, each once. */
  readonly unknown: readonly string[];
}

/** Where data stands in the templates of actions, unless it is plain text. */
const TARGETS: Readonly<Record<string, Target>> = { body_html: 'html', url: 'url' };
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

/** @throws TooLong when a template becomes too long */
export function renderAction(action: Action, data: unknown): RenderedAction {
  const unknown = new Set<string>();
  const keep = <Value>(filled: Filled<Value>): Value => {
    for (const path of filled.unknown) unknown.add(path);
    return filled.value;
  };
  const members = Object.entries(action).map(([name, value]) => {
    if (LITERAL.has(name)) return [name, value];
    if (name === 'body' && 'url' in action) return [name, keep(bodyOf(value, action.headers ?? {}, data))];
    if (name === 'value' || (name === 'params' && action.type === 'plugin.execute'))
      return [name, keep(deeply(value, data))];
    return [name, keep(filledIn(name, value, data))];
  });
  return { rendered: Object.fromEntries(members) as RenderedAction['rendered'], unknown: [...unknown] };
}

/** Whether the body of a call is JSON, by its Content-Type or, without one, by what it looks like. */
export function isJsonBody(body: unknown, headers: Readonly<Record<string, string>>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (typeof body !== 'string') return true;
  return type === undefined ? /^\s*[[{]/.test(body) : /json/i.test(type);
}

function bodyOf(body: unknown, headers: Readonly<Record<string, string>>, data: unknown): Filled<unknown> {
  if (typeof body !== 'string') return deeply(body, data);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (isJsonBody(body, headers)) return fill(body, data, 'json');
  return fill(body, data, /urlencoded/i.test(type) ? 'url' : /html|xml/i.test(type) ? 'html' : 'text');
}

function filledIn(name: string, value: unknown, data: unknown): Filled<unknown> {
  if (typeof value === 'string') return fill(value, data, TARGETS[name] ?? 'text');
  if (name !== 'headers' || typeof value !== 'object' || value === null) return { value, unknown: [] };
  return each(value, (text) => fill(String(text), data, 'header'));
}

/** A value whose texts are templates; a text that is one placeholder becomes the data itself. */
function deeply(value: unknown, data: unknown): Filled<unknown> {
  if (typeof value === 'string') return fillValue(value, data);
  if (typeof value !== 'object' || value === null) return { value, unknown: [] };
  if (!Array.isArray(value)) return each(value, (member) => deeply(member, data));
  const entries = value.map((entry) => deeply(entry, data));
  return { value: entries.map((entry) => entry.value), unknown: entries.flatMap((entry) => entry.unknown) };
}

function each(holder: object, filled: (value: unknown) => Filled<unknown>): Filled<unknown> {
  const members = Object.entries(holder).map(([name, value]) => ({ name, ...filled(value) }));
  return {
    value: Object.fromEntries(members.map(({ name, value }) => [name, value])),
    unknown: members.flatMap((member) => member.unknown),
  };
}
