/** Renders pages as HTML. Templates see only own properties, and all output is escaped. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import type { DocumentView } from './document-view.ts';
import type { Style } from './style.ts';
import { tableRows } from './table-rows.ts';
import type { Texts } from './texts/es.ts';

const liquid = new Liquid({
  root: fileURLToPath(new URL('./templates/', import.meta.url)),
  extname: '.liquid',
  cache: true,
  ownPropertyOnly: true,
  outputEscape: 'escape',
  strictVariables: true,
  strictFilters: true,
});
// Its output is HTML.
liquid.registerFilter('table_rows', { handler: tableRows, raw: true });

/** Input of a printer: the page, and the footer of each printed page. */
export interface Printable {
  readonly html: string;
  readonly footer: string;
  readonly landscape?: boolean;
}

/** Data for the footer of every page. */
export interface WithFooter {
  readonly style: Style;
  readonly company: { readonly foot: string };
  readonly appName: string | null;
  readonly title: string;
  readonly code: string;
  readonly texts: Pick<Texts, 'page' | 'of'>;
}

/** Renders the template `document`. @param logo the header image as a data URI; null for none */
export function renderDocument(view: DocumentView, logo: string | null): Promise<Printable> {
  return renderPage('document', { ...view, logo });
}

/** Renders a template and the footer of its pages. */
export async function renderPage<View extends WithFooter>(
  template: 'document' | 'report',
  view: View,
): Promise<Printable> {
  return {
    html: liquid.renderFileSync(template, view) as string,
    footer: liquid.renderFileSync('footer', view) as string,
  };
}
