/** Turns our own Markdown into HTML, with ids of headings, links to pages of the site, and coloured examples. */
import { createRequire } from 'node:module';
import { Marked, type Tokens } from 'marked';
import { escapedHtml } from '../../../domain/html.ts';

/** The part of highlight.js that we use: its own types would bring those of browsers into the whole service. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(names: string[], options: { languageName: string }): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { readonly value: string };
}

const load = createRequire(import.meta.url);
const hljs = load('highlight.js/lib/core') as Highlighter;
const ALIASES = { bash: ['sh', 'http'], javascript: ['js'], json: [], php: [], python: [], typescript: ['ts'] };
for (const [languageName, aliases] of Object.entries(ALIASES)) {
  hljs.registerLanguage(languageName, load(`highlight.js/lib/languages/${languageName}`));
  hljs.registerAliases(aliases, { languageName });
}

/** Resolves the target of a link in a page; null shows its text alone. */
export type Resolve = (href: string) => string | null;

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** The id of a heading, as in links to it: "## Staying logged in" → staying-logged-in. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** An example of code in HTML. @param language as after the fence of a block; others than the known ones stay plain */
export function codeHtml(code: string, language: string): string {
  return hljs.getLanguage(language) === undefined ? escapedHtml(code) : hljs.highlight(code, { language }).value;
}

/** Translates a page. */
export function markdownHtml(markdown: string, resolve: Resolve): { html: string; headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading(token: Tokens.Heading) {
        const { depth } = token;
        const id = headingId(token.text.replaceAll('`', ''));
        headings.push({ id, text: token.text.replaceAll('`', ''), depth });
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(token.tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = resolve(href);
        return target === null ? text : `<a href="${escapedHtml(target)}">${text}</a>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        return `<pre tabindex="0"><code>${codeHtml(text, lang)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="table" tabindex="0"><table>${head}\n<tbody>${rows}</tbody></table></div>\n`;
      },
      // Comments for tools; our pages have no other HTML.
      html: () => '',
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}
