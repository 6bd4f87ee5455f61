/** Generates files of reports as tasks: reads the data, writes or prints the file, and stores it. */

import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { FairQueue } from '../../db/fair-queue.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { MailLimits } from '../../services/messages/mail/queue.ts';
import type { Drawing } from '../../services/reports/engine/drawings.ts';
import { generate, printsLater } from '../../services/reports/generation/generate.ts';
import { pageToPrint, printPage } from '../../services/reports/generation/pages.ts';
import type { TaskInput, TaskOutcome } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure, currentAttempt } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';
import { ATTEMPTS_WITH_LOGO, type LogoSource, type Printer } from '../trade/pdf.ts';

/** Turns a drawing into a picture (PNG), without running scripts or fetching anything. */
export interface Drawer {
  draw(drawing: Drawing): Promise<Uint8Array>;
}

/** Maximum number of concurrent files. Data is read before printing, so that the printer need not wait for it. */
const CONCURRENCY = 2;
/** Number of failures after which a workbook is written without pictures, since its figures matter more. */
const ATTEMPTS_WITH_PICTURES = 2;
/** Number of failures, within about three seconds, after which a waiting request is refused. The last was without logo and pictures. */
const AWAITED_ATTEMPTS = 3;

export interface ReportActivities {
  /** Generates the file of a report, and ends its task. */
  generateReport(input: TaskInput): Promise<TaskOutcome | null>;
}

export interface ReportDeps extends ResultDeps {
  readonly browser: Printer & Drawer;
  readonly logos: LogoSource;
  readonly mail: MailLimits;
  /** Public address of the service. */
  readonly appUrl: string;
}

export function createReportActivities(deps: ReportDeps): ReportActivities {
  const { database, browser, logos, links, mail, appUrl } = deps;
  const files = { links, mail, appUrl };
  const loadLogo: Parameters<typeof generate>[0]['loadLogo'] = async (tenantId, { bytes, url }) => {
    if (currentAttempt() > ATTEMPTS_WITH_LOGO) return null;
    if (bytes !== null) return logos.draw(tenantId, bytes);
    return url === null ? null : logos.load(tenantId, url);
  };
  const drawing = (): Parameters<typeof generate>[0]['draw'] =>
    currentAttempt() > ATTEMPTS_WITH_PICTURES ? null : (chart) => browser.draw(chart);
  const queue = new FairQueue({ places: CONCURRENCY });
  const print: Printer['print'] = (page) => queue.run(() => browser.print(page));
  return {
    async generateReport(input) {
      let awaited = false;
      try {
        return await runTask(deps, input, (run) => {
          awaited = run.task.kind === 'awaited_report';
          const page = pageToPrint(run.task);
          if (page !== undefined) return printPage({ database, print, links }, run, page);
          const made = () => generate({ database, print, draw: drawing(), loadLogo, ...files }, run);
          return printsLater(run.task) ? made() : queue.run(made);
        });
      } catch (error) {
        // Others are reading; the next attempt gets its turn.
        if (error instanceof ServiceError && error.code === 'too_many_requests') {
          throw new Error(error.message, { cause: error });
        }
        const failure = asActivityFailure(error);
        throw awaited && currentAttempt() >= AWAITED_ATTEMPTS ? givenUp(failure) : failure;
      }
    },
  };
}

/** Converts a failure to one that is not retried. For unexpected errors its message reveals no internals. */
function givenUp(failure: unknown): unknown {
  // Cancellations and refusals are final anyway.
  if (failure instanceof TemporalFailure) return failure;
  const reason =
    failure instanceof ServiceError ? failure.message : 'The file could not be made; try again in a moment';
  return ApplicationFailure.create({
    message: reason,
    type: 'unavailable',
    nonRetryable: true,
    cause: failure as Error,
  });
}
