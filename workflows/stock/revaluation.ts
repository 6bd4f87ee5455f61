/** The later layers of an item in a warehouse are worked out again after a movement that was dated before many others. */
import { proxyActivities } from '@temporalio/workflow';
import type { StockActivities } from '../../activities/stock.ts';
import { shown } from '../details.ts';
import type { StockRevaluationInput, StockRevaluationResult } from './contract.ts';

const stock = proxyActivities<StockActivities>({
  // One transaction over all later layers of one item in one warehouse; a repeat finds the same values.
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Value of stock after a back-dated movement',
  begun: 'Nothing to do: reports show the values of before until it is done',
  done: ({ layers }: StockRevaluationResult) => `${layers} layers worked out again`,
  failed: 'Values later than the movement are those of before: Reset under More Actions tries again',
  cancelled: 'Values later than the movement are those of before: Reset under More Actions goes on',
  more: [],
};

export async function stockRevaluation(input: StockRevaluationInput): Promise<StockRevaluationResult> {
  return shown(TEXTS, () => stock.revalueStock.executeWithOptions({ summary: 'Work out the layers again' }, [input]));
}
