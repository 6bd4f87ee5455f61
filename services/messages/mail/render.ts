/** Renders templates that companies write: within limits, from own properties only, without file access. */
import { Liquid } from 'liquidjs';
import { invalidMember, type ServiceError } from '../../../domain/errors.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';

/** Limits of one template: characters, milliseconds, and rendered items. */
const LIMITS = { parseLimit: 20_000, renderLimit: 100, memoryLimit: 500_000 } as const;
/** Maximum characters of a rendered body and subject. */
const MAX_BODY = 50_000;
const MAX_SUBJECT = 200;
/** Maximum characters of the HTML part: escaping can make a text up to six times as long. */
export const MAX_HTML = 200_000;

/** Templates cannot include files: there are neither tags for it nor files. */
const OPTIONS = { ...LIMITS, ownPropertyOnly: true, strictFilters: true, templates: {} } as const;
const plain = new Liquid(OPTIONS);
/** Escapes all values without exception: `raw` would put a customer's name into the mail as HTML. */
const html = new Liquid({ ...OPTIONS, outputEscape: 'escape' });
html.registerFilter('raw', (value: unknown) => value);
for (const engine of [plain, html]) {
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag];
}

/** Names that lead from the data into the language runtime. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Renders a template. Unknown names become empty.
 * @param at the template's JSON pointer in the request body
 * @throws ServiceError validation_failed if the template is invalid, takes too long or produces too much text
 */
export async function renderTemplate(
  { subject, body, bodyHtml = null }: Template,
  view: object,
  at = '',
): Promise<Rendered> {
  const line = await renderPart(plain, subject, view, `${at}/subject`);
  const text = await renderPart(plain, body, view, `${at}/body`);
  const own =
    bodyHtml === null ? toBoundedHtml(text, `${at}/body`) : await renderPart(html, bodyHtml, view, `${at}/bodyHtml`);
  return { subject: oneLine(line), text, html: own };
}

/** A name in a template that the data does not contain. */
export interface UnknownName {
  /** The member of the template. */
  readonly pointer: string;
  readonly name: string;
}

/**
 * Lists the names in a template that a view does not contain; they are empty in mails.
 * @param at as in `renderTemplate`
 * @throws ServiceError validation_failed if the template is invalid or leads out of the data
 */
export function unknownNames(template: Template, view: object, at = ''): UnknownName[] {
  return (['subject', 'body', 'bodyHtml'] as const).flatMap((member) => {
    const pointer = `${at}/${member}`;
    const paths = templatePaths(template[member] ?? '', pointer);
    const wrong = paths.find((path) => path.some((step) => FORBIDDEN.has(step)));
    if (wrong !== undefined) {
      throw invalidMember(
        pointer,
        'invalid_path',
        `must not lead through ${wrong.find((step) => FORBIDDEN.has(step))}`,
      );
    }
    const unknown = paths.filter((path) => !hasPath(view, path)).map((path) => path.join('.'));
    return [...new Set(unknown)].map((name) => ({ pointer, name }));
  });
}

/** The paths that a template reads from its data, as lists of steps. */
function templatePaths(template: string, pointer: string): string[][] {
  try {
    const segments = plain.globalVariableSegmentsSync(template);
    // Steps computed by the template, as in document[name], are unknown before rendering.
    return segments.map((path) => path.filter((step) => !Array.isArray(step)).map(String));
  } catch (error) {
    throw templateError(pointer, error);
  }
}

function hasPath(view: unknown, path: readonly string[]): boolean {
  let value = view;
  for (const step of path) {
    // Texts and numbers have built-in members in templates, such as size.
    if (typeof value !== 'object' || value === null) return value !== undefined;
    if (!Object.hasOwn(value, step)) return false;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}

function toBoundedHtml(text: string, pointer: string): string {
  const made = textToHtml(text);
  if (made.length <= MAX_HTML) return made;
  throw invalidMember(
    pointer,
    'too_long',
    `must produce at most ${MAX_HTML} characters of HTML, in which & counts as &amp;`,
  );
}

/** Converts a text to the HTML part of a mail: escaped, in paragraphs. */
export function textToHtml(text: string): string {
  const paragraphs = text.split(/(?:\r?\n[ \t]*){2,}/).filter((part) => part.trim() !== '');
  const shown = paragraphs.map((part) => `<p>${escaped(part.trim()).replaceAll(/\r?\n/g, '<br>\n')}</p>`);
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${shown.join('\n')}\n</body></html>\n`;
}

/** Puts a rendered text on one line, so that it cannot break out of its header. */
export function oneLine(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, MAX_SUBJECT).join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

async function renderPart(engine: Liquid, template: string, view: object, pointer: string): Promise<string> {
  let text: string;
  try {
    text = String(await engine.parseAndRender(template, view));
  } catch (error) {
    throw templateError(pointer, error);
  }
  if (text.length <= MAX_BODY) return text;
  throw invalidMember(pointer, 'too_long', `must produce at most ${MAX_BODY} characters`);
}

function templateError(pointer: string, error: unknown): ServiceError {
  const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
  return invalidMember(pointer, 'invalid_template', `is not a valid template: ${reason}`);
}
