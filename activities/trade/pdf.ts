/** PDFs of documents: loads, renders, prints and stores. Renders only if there is no valid stored PDF. */
import type { Database } from '../../db/database.ts';
import { findDocumentPdf, storeDocumentPdf } from '../../services/platform/files/files.ts';
import { documentView, type PaperDocument } from '../../services/trade/pdf/document-view.ts';
import { normalizePdf } from '../../services/trade/pdf/normalize-pdf.ts';
import { type Printable, renderDocument } from '../../services/trade/pdf/render.ts';
import type { DocumentPdfInput } from '../../workflows/trade/documents/contract.ts';
import { asActivityFailure, currentAttempt, workflowContext } from '../failures.ts';

export interface PdfActivities {
  /** Renders the PDF of the document in its current state, and returns the id of the stored file. */
  renderDocumentPdf(input: DocumentPdfInput): Promise<{ fileId: string }>;
}

/** Turns a page into a PDF without running its scripts or fetching anything. */
export interface Printer {
  print(page: Printable): Promise<Uint8Array>;
}

/**
 * Provides a company's logo as a data URI of our own making, from bytes or a web address; null if none can be printed.
 */
export interface LogoSource {
  draw(tenantId: string, bytes: Uint8Array): Promise<string | null>;
  load(tenantId: string, url: string): Promise<string | null>;
}

/** Number of browser failures after which the logo is suspected and left out. */
export const ATTEMPTS_WITH_LOGO = 2;

export function createPdfActivities(deps: {
  readonly database: Database;
  readonly browser: Printer;
  readonly logos: LogoSource;
  readonly now: () => Date;
}): PdfActivities {
  const { database, browser, logos } = deps;
  const loadLogo = async (tenantId: string, { logo, logoUrl }: PaperDocument) => {
    if (logo !== null) return logos.draw(tenantId, logo);
    return logoUrl === null ? null : logos.load(tenantId, logoUrl);
  };
  return {
    async renderDocumentPdf({ tenantId, documentId, form = 'document' }) {
      try {
        const ctx = workflowContext(tenantId, deps.now());
        const { paper, kept } = await database.readTenant(ctx, async (db) => {
          const paper = await documentView(db, documentId, form);
          return { paper, kept: await findDocumentPdf(db, documentId, paper.row.version, form) };
        });
        if (kept !== undefined) return { fileId: kept.id };
        const { view, row } = paper;
        const logo = currentAttempt() <= ATTEMPTS_WITH_LOGO ? await loadLogo(tenantId, paper) : null;
        const printed = await browser.print(await renderDocument(view, logo));
        const content = normalizePdf(printed, row.updatedAt);
        const fileId = await database.withTenant(ctx, (trx) =>
          storeDocumentPdf(trx, ctx, {
            documentId,
            version: row.version,
            form,
            name: fileName(view.title, view.code),
            content,
          }),
        );
        return { fileId };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}

function fileName(title: string, code: string): string {
  return `${title} ${code}.pdf`.replace(/[^\p{L}\p{N}._ -]/gu, '-');
}
