/** Renders one version of a document, for a request that waits for it. */
import { patched, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PdfActivities } from '../../activities/pdf.ts';
import { shown } from '../details.ts';
import type { DocumentPdfInput } from './contract.ts';

const OPTIONS = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
} as const;
/** A local activity, since a request waits for it: a third of the steps at the server, each of which waits for others in a burst. */
const local = proxyLocalActivities<PdfActivities>({
  ...OPTIONS,
  // Longer waits become timers of the server, and give way to other PDFs.
  localRetryThreshold: '1500 milliseconds',
});
/** For workflows started by an earlier release. */
const queued = proxyActivities<PdfActivities>(OPTIONS);

const TEXTS = {
  what: 'PDF of a document',
  begun: 'Nothing to do: it is retried for ten minutes',
  done: ({ fileId }: { fileId: string }) => `Stored as file \`${fileId}\``,
  failed: 'The document is not affected: its next `GET …/pdf` tries again',
  cancelled: 'The next `GET …/pdf` of the document renders it',
  more: [],
};

export async function documentPdf(input: DocumentPdfInput): Promise<{ fileId: string }> {
  const { renderDocumentPdf } = patched('rendering-is-local') ? local : queued;
  return shown(TEXTS, () => renderDocumentPdf.executeWithOptions({ summary: 'Render the document as PDF' }, [input]));
}
