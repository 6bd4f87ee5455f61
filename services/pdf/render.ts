/** Renders the document's page as HTML. Templates see only own properties, and all output is escaped. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import type { DocumentView } from './document-view.ts';

const liquid = new Liquid({
  root: fileURLToPath(new URL('./templates/', import.meta.url)),
  extname: '.liquid',
  cache: true,
  ownPropertyOnly: true,
  outputEscape: 'escape',
  strictVariables: true,
  strictFilters: true,
});

/** Input of a printer: the page, and the footer of each. */
export interface Printable {
  readonly html: string;
  readonly footer: string;
}

/**
 * Renders the template `document`.
 * @param logo the image in the head as a data URI; null for none
 */
export async function renderDocument(view: DocumentView, logo: string | null): Promise<Printable> {
  return {
    html: (await liquid.renderFile('document', { ...view, logo })) as string,
    footer: (await liquid.renderFile('footer', view)) as string,
  };
}
