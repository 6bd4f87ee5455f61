/** Recomputes the later layers of an item in a warehouse after a movement that was dated before many others. */
import { proxyActivities } from '@temporalio/workflow';
import type { StockActivities } from '../../activities/stock.ts';
import { shown } from '../details.ts';
import type { StockRevaluationInput, StockRevaluationResult } from './contract.ts';

const stock = proxyActivities<StockActivities>({
  // One transaction over all later layers of one item in one warehouse; a retry computes the same values.
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Value of stock after a back-dated movement',
  begun: 'Nothing to do: until it is done, reports show the old values',
  done: ({ layers }: StockRevaluationResult) => `${layers} layers recomputed`,
  failed: 'Values after the movement are still the old ones: Reset under More Actions tries again',
  cancelled: 'Values after the movement are still the old ones: Reset under More Actions continues',
  more: [],
};

export async function stockRevaluation(input: StockRevaluationInput): Promise<StockRevaluationResult> {
  return shown(TEXTS, () => stock.revalueStock.executeWithOptions({ summary: 'Recompute the layers' }, [input]));
}
