/** The demo of a year: `npm run demo -- --year` trades, pays, hires and files for twelve months, so that every report shows something. */
import type { ApiClient } from '../api-client.ts';
import { type Output, Progress } from '../report.ts';
import { DemoError, type Session } from '../session.ts';
import { openWebhook } from '../webhook.ts';
import { dayAt } from '../wholesaler.ts';
import { disagreements } from './checks.ts';
import { type Month, monthsUntil } from './plan.ts';
import { Year } from './year.ts';

const LOCKED = 'document.locked';
const DELIVERIES_MS = 60_000;

export interface YearOptions {
  readonly now: Date;
  readonly output: Output;
  /** Port of the receiver of webhooks; undefined = none. */
  readonly receiverPort: number | undefined;
  /** Number of months; defaults to twelve. */
  readonly length?: number;
}

export interface YearReport {
  readonly months: readonly Month[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Discrepancies; empty if everything adds up. */
  readonly problems: readonly string[];
}

/** @throws DemoError if the company has invoices of that time already; ApiProblem */
export async function runYear({ client }: Session, options: YearOptions): Promise<YearReport> {
  const { output } = options;
  const { timezone } = (await client.get('/api/config/format')) as { timezone: string };
  const months = monthsUntil(dayAt(options.now, timezone), options.length);
  const [first] = months as [Month, ...Month[]];
  const last = months.at(-1) as Month;
  await assertNew(client, first.from);
  const year = await Year.prepare(client, first, options.now);
  const { receiverPort } = options;
  const webhook = receiverPort === undefined ? undefined : await openWebhook(client, [LOCKED], receiverPort);
  try {
    const progress = new Progress('months', months.length, output);
    for (const [index, month] of months.entries()) {
      await year.trade(month, index);
      await year.settle(month);
      await year.file(month, months);
      progress.step();
    }
    const missing = (await webhook?.waitFor(LOCKED, year.posted, DELIVERIES_MS)) ?? [];
    const undelivered = missing.length > 0 ? [`${missing.length} of ${year.posted.length} ${LOCKED} did not come`] : [];
    const heard =
      webhook === undefined
        ? []
        : [['invoices told by the webhook, signatures good', webhook.receiver.deliveries.length, '']];
    return {
      months,
      rows: [...year.rows(), ...heard],
      problems: [...undelivered, ...(await disagreements(client, first.from, last.to))],
    };
  } finally {
    await webhook?.close();
  }
}

/** A second year on the same days would sell everything twice. */
async function assertNew(client: ApiClient, from: string): Promise<void> {
  const answer = await client.get(`/api/sales/invoices?date[gte]=${from}&limit=1`);
  if ((answer.data as unknown[]).length > 0) {
    throw new DemoError('The company has invoices of the last twelve months already; run --year on a company without');
  }
}
