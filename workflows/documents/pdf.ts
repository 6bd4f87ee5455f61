/** Renders one version of a document, for a request that waits for it. */
import { proxyActivities } from '@temporalio/workflow';
import type { PdfActivities } from '../../activities/pdf.ts';
import { shown } from '../details.ts';
import type { DocumentPdfInput } from './contract.ts';

const pdfs = proxyActivities<PdfActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'PDF of a document',
  begun: 'Nothing to do: it is retried for ten minutes',
  done: ({ fileId }: { fileId: string }) => `Stored as file \`${fileId}\``,
  failed: 'The document is not affected: its next `GET …/pdf` tries again',
  cancelled: 'The next `GET …/pdf` of the document renders it',
  more: [],
};

export async function documentPdf(input: DocumentPdfInput): Promise<{ fileId: string }> {
  return shown(TEXTS, () =>
    pdfs.renderDocumentPdf.executeWithOptions({ summary: 'Render the document as PDF' }, [input]),
  );
}
