/** Renders one version of a document for a waiting request. */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { PdfActivities } from '../../../activities/trade/pdf.ts';
import { shown } from '../../details.ts';
import type { DocumentPdfInput } from './contract.ts';

/**
 * A local activity, because a request is waiting: it needs a third of the server's steps, each of which queues behind
 * others in a burst.
 */
const { renderDocumentPdf } = proxyLocalActivities<PdfActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  // Longer waits become server timers and give way to other PDFs.
  localRetryThreshold: '1500 milliseconds',
});

const TEXTS = {
  what: 'PDF of a document',
  begun: 'Nothing to do: it is retried for ten minutes',
  done: ({ fileId }: { fileId: string }) => `Stored as file \`${fileId}\``,
  failed: 'The document is not affected; the next `GET …/pdf` tries again',
  cancelled: 'The next `GET …/pdf` of the document renders it again',
  more: [],
};

export async function documentPdf(input: DocumentPdfInput): Promise<{ fileId: string }> {
  return shown(TEXTS, () => renderDocumentPdf.executeWithOptions({ summary: 'Render the document as PDF' }, [input]));
}
