/** The frame of all pages: navigation, search, the language of examples, light or dark. */
import { escapedHtml } from '../../../domain/html.ts';
import { SAMPLE_LANGUAGES } from './samples.ts';

export interface Link {
  readonly path: string;
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly links: readonly Link[];
}

/** Pages that are read one after the other. */
export interface Neighbours {
  readonly before?: Link | undefined;
  readonly after?: Link | undefined;
}

/** A whole page. @param content HTML @param outline headings of the page, as HTML */
export function pageHtml(page: {
  readonly path: string;
  readonly title: string;
  readonly content: string;
  readonly outline: readonly Link[];
  readonly sections: readonly Section[];
  readonly neighbours?: Neighbours;
}): string {
  const { path, title, content, outline, sections, neighbours = {} } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)} · Business Management Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/site.css">
<script src="/docs/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="/docs">Business Management Service</a>
<search><label for="site-search">Search</label>
<input id="site-search" type="search" placeholder="Search (press /)" autocomplete="off"
  role="combobox" aria-expanded="false" aria-controls="site-found">
<ul id="site-found" role="listbox" aria-label="Search results" hidden></ul></search>
<label>Examples <select id="site-language">${Object.entries(SAMPLE_LANGUAGES)
    .map(([value, name]) => `<option value="${value}">${name}</option>`)
    .join('')}</select></label>
<label>Colours <select id="site-theme">
<option value="">as the system</option><option value="light">light</option><option value="dark">dark</option>
</select></label>
</header>
<div class="frame">
<nav aria-label="Pages">${sections.map((section) => sectionHtml(section, path)).join('\n')}</nav>
<main id="content" tabindex="-1">
${content}
${neighboursHtml(neighbours)}
</main>
${outline.length < 2 ? '' : `<aside aria-label="On this page"><h2>On this page</h2>${linksHtml(outline, '')}</aside>`}
</div>
</body>
</html>
`;
}

function sectionHtml({ title, links }: Section, path: string): string {
  const isOpen = links.some((link) => link.path === path);
  return `<details${isOpen ? ' open' : ''}><summary>${escapedHtml(title)}</summary>${linksHtml(links, path)}</details>`;
}

function linksHtml(links: readonly Link[], path: string): string {
  const items = links.map(
    (link) =>
      `<li><a href="${escapedHtml(link.path)}"${link.path === path ? ' aria-current="page"' : ''}>${escapedHtml(link.title)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function neighboursHtml({ before, after }: Neighbours): string {
  if (before === undefined && after === undefined) return '';
  const link = (one: Link | undefined, rel: string, arrow: (title: string) => string) =>
    one === undefined ? '<span></span>' : `<a rel="${rel}" href="${one.path}">${escapedHtml(arrow(one.title))}</a>`;
  return `<p class="neighbours">${link(before, 'prev', (title) => `← ${title}`)}${link(after, 'next', (title) => `${title} →`)}</p>`;
}
