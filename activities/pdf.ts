/** PDFs of documents: load, render, print, store. Rendered only if no stored one is valid. */
import type { Context } from '../db/context.ts';
import type { Database } from '../db/database.ts';
import { findDocumentPdf, storeDocumentPdf } from '../services/files/files.ts';
import { documentView, type PaperDocument } from '../services/pdf/document-view.ts';
import { freezePaper } from '../services/pdf/freeze-paper.ts';
import { type Printable, renderDocument } from '../services/pdf/render.ts';
import { stablePdf } from '../services/pdf/stable.ts';
import type { DocumentPdfInput } from '../workflows/documents/contract.ts';
import { asActivityFailure, currentAttempt, workflowContext } from './failures.ts';

export interface PdfActivities {
  /** Renders the PDF of the document in its current state, and returns the id of the stored file. */
  renderDocumentPdf(input: DocumentPdfInput): Promise<{ fileId: string }>;
}

/** Turns a page into a PDF without running its scripts or fetching anything. */
export interface Printer {
  print(page: Printable): Promise<Uint8Array>;
}

/** Provides a company's logo as a data URI that we made: from bytes, or a web address; null if there is none that can be printed. */
export interface LogoSource {
  draw(tenantId: string, bytes: Uint8Array): Promise<string | null>;
  load(tenantId: string, url: string): Promise<string | null>;
}

/** After this many browser failures a logo is suspected, and left out. */
export const ATTEMPTS_WITH_LOGO = 2;

export function createPdfActivities(deps: {
  readonly database: Database;
  readonly browser: Printer;
  readonly logos: LogoSource;
  readonly now: () => Date;
}): PdfActivities {
  const { database, browser, logos } = deps;
  const logoOf = async (tenantId: string, { logo, logoUrl }: PaperDocument) => {
    if (logo !== null) return logos.draw(tenantId, logo);
    return logoUrl === null ? null : logos.load(tenantId, logoUrl);
  };
  /** An invoice that an earlier release posted: what it shows now, it shows from now on. */
  const frozenNow = (ctx: Context, { row }: PaperDocument) =>
    database.withTenant(ctx, async (trx) => {
      await freezePaper(trx, row, { late: true });
      return documentView(trx, row.id);
    });
  return {
    async renderDocumentPdf({ tenantId, documentId }) {
      try {
        const ctx = workflowContext(tenantId, deps.now());
        const { read, kept } = await database.readTenant(ctx, async (db) => {
          const read = await documentView(db, documentId);
          return { read, kept: await findDocumentPdf(db, documentId, read.row.version) };
        });
        if (kept !== undefined) return { fileId: kept.id };
        const paper = read.unfrozen ? await frozenNow(ctx, read) : read;
        const { view, row } = paper;
        const logo = currentAttempt() <= ATTEMPTS_WITH_LOGO ? await logoOf(tenantId, paper) : null;
        const printed = await browser.print(await renderDocument(view, logo));
        const content = stablePdf(printed, row.updatedAt);
        const fileId = await database.withTenant(ctx, (trx) =>
          storeDocumentPdf(trx, ctx, {
            documentId,
            version: row.version,
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
