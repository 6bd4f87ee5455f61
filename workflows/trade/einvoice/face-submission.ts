/**
 * Sends a company's invoices to public bodies through FACe, one after the other, and follows what becomes of them, for months where it
 * takes months. It ends when nothing is left to follow; the next invoice starts it again.
 */
import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FaceActivities } from '../../../activities/trade/face.ts';
import { detailsText } from '../../details.ts';
import { type FaceInput, lookForInvoices } from './contract.ts';

const { exchangeWithFace } = proxyActivities<FaceActivities>({
  // Longer than an exchange. What a worker that died has sent is not sent again: people look for it.
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

export async function faceSubmission(input: FaceInput): Promise<void> {
  let woken = false;
  setHandler(lookForInvoices, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const { seconds } = await exchangeWithFace.executeWithOptions({ summary: 'Do what is due' }, [input]);
    show(seconds);
    if (seconds === null && !woken) return;
    if (seconds !== null && seconds > 0) await condition(() => woken, seconds * 1000 + 1);
    if (workflowInfo().continueAsNewSuggested) return await continueAsNew<typeof faceSubmission>(input);
  }
}

function show(seconds: number | null): void {
  const state = seconds === null ? 'done' : seconds === 0 ? 'under way' : 'waiting';
  const todo =
    seconds === null
      ? 'Nothing is left to follow. The next invoice starts it again'
      : `Next after ${seconds} seconds, or at once with signal lookForInvoices; \`GET /api/face/submissions\` says more`;
  setCurrentDetails(detailsText(`Invoices to public bodies: **${state}**`, todo));
}
