/** Renders templates that companies write. What may take long is done in a thread, with a deadline (decision 0218). */
import { invalidMember, type ServiceError } from '../../../domain/errors.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';
import type { View } from '../../../domain/messages/mail/values.ts';
import { RunEnded, runInThread, threadModule } from '../../platform/threads/threads.ts';
import { type Filled, type Filling, fillIn, isCheap, MEMBERS } from './liquid.ts';

const THREAD = threadModule(import.meta.url, './liquid-thread');
const MAX_SUBJECT = 200;
/** Maximum characters of the HTML part: escaping can make a text up to six times as long. */
export const MAX_HTML = 200_000;

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Something in a template that comes out otherwise than meant. */
export interface TemplateWarning {
  /** The member of the template. */
  readonly pointer: string;
  readonly message: string;
}

export interface CheckedTemplate extends Rendered {
  readonly warnings: readonly TemplateWarning[];
}

/**
 * Renders a template, and lists what cannot be resolved: names that the view does not contain, which become empty, and values that are not
 * what a filter or comparison needs.
 * @param tenantId whose template it is
 * @param at the template's JSON pointer in the request body
 * @throws ServiceError validation_failed if the template is invalid, leads out of the data, takes too long or produces too much text;
 * too_many_requests if too many of the company's wait
 */
export async function renderTemplate(
  tenantId: string,
  template: Template,
  view: View,
  at = '',
): Promise<CheckedTemplate> {
  const { subject, body, bodyHtml = null } = template;
  const filled = await fill(tenantId, { template: { subject, body, bodyHtml }, view }, at);
  if ('fault' in filled) {
    const { member, code, message } = filled.fault;
    throw invalidMember(`${at}/${member}`, code, message);
  }
  const { members } = filled;
  const text = members.body?.text ?? '';
  return {
    subject: oneLine(members.subject?.text ?? ''),
    text,
    html: members.bodyHtml?.text ?? toBoundedHtml(text, `${at}/body`),
    warnings: MEMBERS.flatMap((member) => {
      const { paths = [], unresolved = [] } = members[member] ?? {};
      const unknown = paths.filter((path) => !hasPath(view.names, path)).map((path) => path.join('.'));
      const messages = [
        ...[...new Set(unknown)].map((name) => `${name} is empty because there is no such name`),
        ...unresolved,
      ];
      return messages.map((message) => ({ pointer: `${at}/${member}`, message }));
    }),
  };
}

async function fill(tenantId: string, filling: Filling, at: string): Promise<Filled> {
  if (isCheap(filling)) return fillIn(filling);
  try {
    return await runInThread<Filling, Filled>(tenantId, THREAD, filling);
  } catch (error) {
    if (error instanceof RunEnded) throw tooExpensive(at);
    throw error;
  }
}

function tooExpensive(pointer: string): ServiceError {
  return invalidMember(
    pointer,
    'invalid_template',
    'cannot be used because it takes too long or too much memory; simplify its loops and filters',
  );
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
