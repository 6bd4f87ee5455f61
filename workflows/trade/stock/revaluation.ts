/** Recomputes the later layers of an item in a warehouse after a back-dated movement with many later ones. */
import { proxyActivities } from '@temporalio/workflow';
import type { StockActivities } from '../../../activities/trade/stock.ts';
import { shown } from '../../details.ts';
import type { StockRevaluationInput, StockRevaluationResult } from './contract.ts';

const stock = proxyActivities<StockActivities>({
  // One transaction over all later layers of one item in one warehouse; a retry computes the same values.
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Value of stock after a back-dated movement',
  begun: 'Nothing to do: reports show the old values until it is done',
  done: ({ layers }: StockRevaluationResult) => `${layers} layers recomputed`,
  failed: 'Values after the movement are still outdated: More Actions › Reset tries again',
  cancelled: 'Values after the movement are still outdated: More Actions › Reset continues',
  more: [],
};

export async function stockRevaluation(input: StockRevaluationInput): Promise<StockRevaluationResult> {
  return shown(TEXTS, () => stock.revalueStock.executeWithOptions({ summary: 'Recompute the layers' }, [input]));
}
