/** Renders templates that companies write: within bounds, from own properties only, without files. */
import { Liquid } from 'liquidjs';
import { invalidMember, type ServiceError } from '../../domain/errors.ts';
import type { Template } from '../../domain/mail/templates.ts';

/** Bounds of one template: characters, milliseconds, and items that it makes. */
const BOUNDS = { parseLimit: 20_000, renderLimit: 100, memoryLimit: 500_000 } as const;
/** The most characters that a mail may become, and the subject on its line. */
const MOST_BODY = 50_000;
const MOST_SUBJECT = 200;
/** The most characters of its HTML: a text grows up to six times, as some characters are written with so many. */
export const MOST_HTML = 200_000;

/** A template cannot include files: there are neither tags for it nor files. */
const OPTIONS = { ...BOUNDS, ownPropertyOnly: true, strictFilters: true, templates: {} } as const;
const plain = new Liquid(OPTIONS);
/** Values are escaped, without exception: `raw` would put what a customer is called into the mail as HTML. */
const html = new Liquid({ ...OPTIONS, outputEscape: 'escape' });
html.registerFilter('raw', (value: unknown) => value);
for (const engine of [plain, html]) {
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag];
}

/** Names that lead out of the data into the language. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Fills a template in. Unknown names are empty.
 * @param at where the template is in the request's body, for pointers
 * @throws ServiceError validation_failed for what is no template, takes too long or becomes too large
 */
export async function renderTemplate(
  { subject, body, bodyHtml = null }: Template,
  view: object,
  at = '',
): Promise<Rendered> {
  const line = await rendered(plain, subject, view, `${at}/subject`);
  const text = await rendered(plain, body, view, `${at}/body`);
  const own = bodyHtml === null ? htmlOf(text, `${at}/body`) : await rendered(html, bodyHtml, view, `${at}/bodyHtml`);
  return { subject: oneLine(line), text, html: own };
}

/** A name in a template that its data does not have. */
export interface UnknownName {
  /** The member of the template. */
  readonly pointer: string;
  readonly name: string;
}

/**
 * The names in a template that a view does not have: they are empty in mails.
 * @param at as in `renderTemplate`
 * @throws ServiceError validation_failed for what is no template, or leads out of the data
 */
export function unknownNames(template: Template, view: object, at = ''): UnknownName[] {
  return (['subject', 'body', 'bodyHtml'] as const).flatMap((member) => {
    const pointer = `${at}/${member}`;
    const paths = pathsIn(template[member] ?? '', pointer);
    const wrong = paths.find((path) => path.some((step) => FORBIDDEN.has(step)));
    if (wrong !== undefined) {
      throw invalidMember(
        pointer,
        'invalid_path',
        `must not lead through ${wrong.find((step) => FORBIDDEN.has(step))}`,
      );
    }
    const unknown = paths.filter((path) => !leads(view, path)).map((path) => path.join('.'));
    return [...new Set(unknown)].map((name) => ({ pointer, name }));
  });
}

/** The paths that a template reads of its data, by their steps. */
function pathsIn(template: string, pointer: string): string[][] {
  try {
    const segments = plain.globalVariableSegmentsSync(template);
    // Steps that the template works out, as in document[name], are unknown before.
    return segments.map((path) => path.filter((step) => !Array.isArray(step)).map(String));
  } catch (error) {
    throw unusable(pointer, error);
  }
}

function leads(view: unknown, path: readonly string[]): boolean {
  let value = view;
  for (const step of path) {
    // Texts and numbers have members of their own in templates, such as size.
    if (typeof value !== 'object' || value === null) return value !== undefined;
    if (!Object.hasOwn(value, step)) return false;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}

function htmlOf(text: string, pointer: string): string {
  const made = asHtml(text);
  if (made.length <= MOST_HTML) return made;
  throw invalidMember(
    pointer,
    'too_long',
    `must become at most ${MOST_HTML} characters of HTML, in which & is written &amp;`,
  );
}

/** A text as the HTML part of a mail: escaped, in paragraphs. */
export function asHtml(text: string): string {
  const paragraphs = text.split(/(?:\r?\n[ \t]*){2,}/).filter((part) => part.trim() !== '');
  const shown = paragraphs.map((part) => `<p>${escaped(part.trim()).replaceAll(/\r?\n/g, '<br>\n')}</p>`);
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${shown.join('\n')}\n</body></html>\n`;
}

/** What a template makes of data stays on the line of the head. */
export function oneLine(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, MOST_SUBJECT).join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

async function rendered(engine: Liquid, template: string, view: object, pointer: string): Promise<string> {
  let text: string;
  try {
    text = String(await engine.parseAndRender(template, view));
  } catch (error) {
    throw unusable(pointer, error);
  }
  if (text.length <= MOST_BODY) return text;
  throw invalidMember(pointer, 'too_long', `must become at most ${MOST_BODY} characters`);
}

function unusable(pointer: string, error: unknown): ServiceError {
  const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
  return invalidMember(pointer, 'invalid_template', `is not a template that can be used: ${reason}`);
}
