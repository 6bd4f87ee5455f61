/** One rendering of one version of a document, asked for by a request that waits for it. */
import { proxyActivities } from '@temporalio/workflow';
import type { PdfActivities } from '../../activities/pdf.ts';
import type { DocumentPdfInput } from './contract.ts';

const reports = proxyActivities<PdfActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

export async function documentPdf(input: DocumentPdfInput): Promise<{ fileId: string }> {
  return reports.renderDocumentPdf.executeWithOptions({ summary: 'Render the document as PDF' }, [input]);
}
