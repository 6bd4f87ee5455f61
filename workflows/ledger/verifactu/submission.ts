/**
 * Sends a company's records to the tax agency, message after message, for as long as any wait: with the waits that the agency demands, and
 * through outages of days. It ends when nothing waits; the next record starts it again.
 */
import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { VerifactuActivities } from '../../../activities/ledger/verifactu.ts';
import { detailsText } from '../../details.ts';
import { lookForRecords, type VerifactuInput } from './contract.ts';

const { sendNextRecords } = proxyActivities<VerifactuActivities>({
  // Longer than an exchange. What a worker that died has sent is sent again: the agency says that it has it.
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

type Step = Awaited<ReturnType<VerifactuActivities['sendNextRecords']>>;

export async function verifactuSubmission(input: VerifactuInput): Promise<Step['next']> {
  let woken = false;
  setHandler(lookForRecords, () => {
    woken = true;
  });
  show('sending', 'Nothing to do: an agency that does not answer is asked again');
  for (;;) {
    woken = false;
    const step = await sendNextRecords.executeWithOptions({ summary: 'Send the next records' }, [input]);
    shownStep(step);
    if ('seconds' in step) await condition(() => woken, step.seconds * 1000 + 1);
    else if (!woken) return step.next;
    if (workflowInfo().continueAsNewSuggested) return await continueAsNew<typeof verifactuSubmission>(input);
  }
}

function shownStep(step: Step): void {
  if (step.next === 'nothing') show('done', 'Nothing waits. The next invoice starts it again');
  else if (step.next === 'stop')
    show('waiting for the company', `${step.code}: \`GET /api/verifactu\` says what to do`);
  else if (step.next === 'failed')
    show(
      'waiting for the agency',
      `${step.code}: tried again after ${step.seconds} seconds. Signal lookForRecords tries now`,
    );
  else show('waiting', `${step.waiting} records wait; the next message may go after ${step.seconds} seconds`);
}

function show(state: string, todo: string): void {
  setCurrentDetails(detailsText(`Records of invoices for the tax agency: **${state}**`, todo));
}
