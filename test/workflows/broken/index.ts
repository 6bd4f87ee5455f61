/** Workflows whose commands are no longer those of the recorded histories: what replay has to catch. */
import { sleep } from '@temporalio/workflow';
import { dueEntries as dueMade } from '../../../workflows/contracts/due-entries/due-entries.ts';
import { recurringDue as recurringFound } from '../../../workflows/contracts/recurring/due.ts';
import { recurringRuns as recurringMade } from '../../../workflows/contracts/recurring/runs.ts';
import { scheduledAutomation as byClock } from '../../../workflows/integrations/automations/clock.ts';
import { automationRun as automation } from '../../../workflows/integrations/automations/run.ts';
import { webhookDelivery as delivery } from '../../../workflows/integrations/webhooks/delivery.ts';
import { webhookRecovery as recovery } from '../../../workflows/integrations/webhooks/recovery.ts';
import { depreciationRun as depreciation } from '../../../workflows/ledger/assets/run.ts';
import { exchangeRates as rates } from '../../../workflows/ledger/exchange/rates.ts';
import { taxAccruals as accruals } from '../../../workflows/ledger/tax-returns/accruals.ts';
import { verifactuSubmission as submission } from '../../../workflows/ledger/verifactu/submission.ts';
import { emailDelivery as mailing } from '../../../workflows/messages/mail/delivery.ts';
import { pushDelivery as push } from '../../../workflows/messages/push/delivery.ts';
import { lifecycleComparison as comparison } from '../../../workflows/operation/missing-work/lifecycles.ts';
import { maintenance as pruning } from '../../../workflows/operation/pruning/pruning.ts';
import { storageMeasurement as measurement } from '../../../workflows/operation/storage/measurement.ts';
import { scheduleComparison as schedulesCompared } from '../../../workflows/platform/schedules/comparison.ts';
import { importFile as importing } from '../../../workflows/platform/tasks/import-file.ts';
import { dailySummaries as summaries } from '../../../workflows/reports/daily-summary/summaries.ts';
import { reportGeneration as generation } from '../../../workflows/reports/generation/generation.ts';
import { scheduledReport as scheduled } from '../../../workflows/reports/schedules/scheduled-report.ts';
import { payrollGeneration as payrolls, payslipMails as payslips } from '../../../workflows/staff/payroll.ts';
import { documentLifecycle as lifecycle } from '../../../workflows/trade/documents/lifecycle.ts';
import { documentPdf as pdf } from '../../../workflows/trade/documents/pdf.ts';
import { faceSubmission as following } from '../../../workflows/trade/einvoice/face-submission.ts';
import { paymentReconciliation as reconciliation } from '../../../workflows/trade/payments/reconciliation.ts';
import { stockRevaluation as revaluation } from '../../../workflows/trade/stock/revaluation.ts';

export async function scheduledAutomation(...args: Parameters<typeof byClock>): ReturnType<typeof byClock> {
  await sleep(1000);
  return byClock(...args);
}

export async function documentLifecycle(...args: Parameters<typeof lifecycle>): ReturnType<typeof lifecycle> {
  // A lock that is due is a timer as well, which one timer alone would pass for.
  await Promise.all([sleep(1000), sleep(1000)]);
  return lifecycle(...args);
}

export async function documentPdf(...args: Parameters<typeof pdf>): ReturnType<typeof pdf> {
  await sleep(1000);
  return pdf(...args);
}

export async function importFile(...args: Parameters<typeof importing>): ReturnType<typeof importing> {
  await sleep(1000);
  return importing(...args);
}

export async function payrollGeneration(...args: Parameters<typeof payrolls>): ReturnType<typeof payrolls> {
  await sleep(1000);
  return payrolls(...args);
}

export async function payslipMails(...args: Parameters<typeof payslips>): ReturnType<typeof payslips> {
  await sleep(1000);
  return payslips(...args);
}

export async function emailDelivery(...args: Parameters<typeof mailing>): ReturnType<typeof mailing> {
  await sleep(1000);
  return mailing(...args);
}

export async function pushDelivery(...args: Parameters<typeof push>): ReturnType<typeof push> {
  await sleep(1000);
  return push(...args);
}

export async function lifecycleComparison(...args: Parameters<typeof comparison>): ReturnType<typeof comparison> {
  await sleep(1000);
  return comparison(...args);
}

export async function maintenance(...args: Parameters<typeof pruning>): ReturnType<typeof pruning> {
  await sleep(1000);
  return pruning(...args);
}

export async function storageMeasurement(...args: Parameters<typeof measurement>): ReturnType<typeof measurement> {
  await sleep(1000);
  return measurement(...args);
}

export async function paymentReconciliation(
  ...args: Parameters<typeof reconciliation>
): ReturnType<typeof reconciliation> {
  await sleep(1000);
  return reconciliation(...args);
}

export async function dailySummaries(...args: Parameters<typeof summaries>): ReturnType<typeof summaries> {
  await sleep(1000);
  return summaries(...args);
}

export async function reportGeneration(...args: Parameters<typeof generation>): ReturnType<typeof generation> {
  await sleep(1000);
  return generation(...args);
}

export async function scheduleComparison(
  ...args: Parameters<typeof schedulesCompared>
): ReturnType<typeof schedulesCompared> {
  await sleep(1000);
  return schedulesCompared(...args);
}

export async function scheduledReport(...args: Parameters<typeof scheduled>): ReturnType<typeof scheduled> {
  await sleep(1000);
  return scheduled(...args);
}

export async function stockRevaluation(...args: Parameters<typeof revaluation>): ReturnType<typeof revaluation> {
  await sleep(1000);
  return revaluation(...args);
}

export async function webhookDelivery(...args: Parameters<typeof delivery>): ReturnType<typeof delivery> {
  await sleep(1000);
  return delivery(...args);
}

export async function webhookRecovery(...args: Parameters<typeof recovery>): ReturnType<typeof recovery> {
  await sleep(1000);
  return recovery(...args);
}

export async function automationRun(...args: Parameters<typeof automation>): ReturnType<typeof automation> {
  await sleep(1000);
  return automation(...args);
}

export async function verifactuSubmission(...args: Parameters<typeof submission>): ReturnType<typeof submission> {
  await sleep(1000);
  return submission(...args);
}

export async function faceSubmission(...args: Parameters<typeof following>): ReturnType<typeof following> {
  await sleep(1000);
  return following(...args);
}

export async function depreciationRun(...args: Parameters<typeof depreciation>): ReturnType<typeof depreciation> {
  await sleep(1000);
  return depreciation(...args);
}

export async function recurringDue(...args: Parameters<typeof recurringFound>): ReturnType<typeof recurringFound> {
  await sleep(1000);
  return recurringFound(...args);
}

export async function recurringRuns(...args: Parameters<typeof recurringMade>): ReturnType<typeof recurringMade> {
  await sleep(1000);
  return recurringMade(...args);
}

export async function dueEntries(...args: Parameters<typeof dueMade>): ReturnType<typeof dueMade> {
  await sleep(1000);
  return dueMade(...args);
}

export async function exchangeRates(...args: Parameters<typeof rates>): ReturnType<typeof rates> {
  await sleep(1000);
  return rates(...args);
}

export async function taxAccruals(...args: Parameters<typeof accruals>): ReturnType<typeof accruals> {
  await sleep(1000);
  return accruals(...args);
}
