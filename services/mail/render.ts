/** Renders templates that companies write: within bounds, from own properties only, without files. */
import { Liquid } from 'liquidjs';
import { invalidMember } from '../../domain/errors.ts';
import type { Template } from '../../domain/mail/templates.ts';

/** Bounds of one template: characters, milliseconds, and items that it makes. */
const BOUNDS = { parseLimit: 20_000, renderLimit: 100, memoryLimit: 500_000 } as const;
/** The most characters that a mail may become, and the subject on its line. */
const MOST_BODY = 50_000;
const MOST_SUBJECT = 200;

/** `templates` in place of files: a template cannot include any. */
const liquid = new Liquid({ ...BOUNDS, ownPropertyOnly: true, strictFilters: true, templates: {} });

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
export async function renderTemplate({ subject, body }: Template, view: object, at = ''): Promise<Rendered> {
  const line = await rendered(subject, view, `${at}/subject`);
  const text = await rendered(body, view, `${at}/body`);
  if (text.length > MOST_BODY) {
    throw invalidMember(`${at}/body`, 'too_long', `must become at most ${MOST_BODY} characters`);
  }
  return { subject: oneLine(line), text, html: asHtml(text) };
}

/** A text as the HTML part of a mail: escaped, in paragraphs. */
export function asHtml(text: string): string {
  const paragraphs = text.split(/(?:\r?\n[ \t]*){2,}/).filter((part) => part.trim() !== '');
  const shown = paragraphs.map((part) => `<p>${escaped(part.trim()).replaceAll(/\r?\n/g, '<br>\n')}</p>`);
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${shown.join('\n')}\n</body></html>\n`;
}

/** What a template makes of data stays on the line of the head. */
function oneLine(text: string): string {
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

async function rendered(template: string, view: object, pointer: string): Promise<string> {
  try {
    return String(await liquid.parseAndRender(template, view));
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw invalidMember(pointer, 'invalid_template', `is not a template that can be used: ${reason}`);
  }
}
