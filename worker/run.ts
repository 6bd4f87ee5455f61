/** Runs a worker process: a Temporal worker for each queue on one connection, and the relay. */
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createDueEntryActivities } from '../activities/contracts/due-entries.ts';
import { createRecurringActivities } from '../activities/contracts/recurring.ts';
import { createAutomationActivities } from '../activities/integrations/automations.ts';
import { createAutomationScheduleActivities } from '../activities/integrations/automations-clock.ts';
import { createRecoveryActivities } from '../activities/integrations/webhook-recovery.ts';
import { createWebhookActivities } from '../activities/integrations/webhooks.ts';
import { createAssetActivities } from '../activities/ledger/assets.ts';
import { createExchangeActivities } from '../activities/ledger/exchange.ts';
import { createAccrualActivities } from '../activities/ledger/tax-returns.ts';
import { createVerifactuActivities } from '../activities/ledger/verifactu.ts';
import { createMailActivities } from '../activities/messages/mail.ts';
import { createPushActivities } from '../activities/messages/push.ts';
import { createLifecycleActivities } from '../activities/operation/missing-work.ts';
import { createPruningActivities } from '../activities/operation/pruning.ts';
import { createStorageActivities } from '../activities/operation/storage.ts';
import { createScheduleActivities } from '../activities/platform/schedules.ts';
import { createTaskActivities } from '../activities/platform/tasks.ts';
import { createImportActivities } from '../activities/records/imports.ts';
import { createDailySummaryActivities } from '../activities/reports/daily-summary.ts';
import { createReportActivities } from '../activities/reports/generation.ts';
import { createReportScheduleActivities } from '../activities/reports/schedules.ts';
import { createPayrollActivities } from '../activities/staff/payroll.ts';
import { createDocumentActivities } from '../activities/trade/documents.ts';
import { createFaceActivities } from '../activities/trade/face.ts';
import { createPaymentActivities } from '../activities/trade/payments.ts';
import { createPdfActivities } from '../activities/trade/pdf.ts';
import { createStockActivities } from '../activities/trade/stock.ts';
import type { Config } from '../config/index.ts';
import { Database } from '../db/database.ts';
import { OUTBOX_CHANNEL } from '../db/pokes.ts';
import { findChromium } from '../runtime/chromium.ts';
import { fontEnvironment } from '../runtime/fonts.ts';
import { recordStart } from '../services/integrations/automations/startup.ts';
import { Gate } from '../services/integrations/webhooks/gate.ts';
import { FileMailer } from '../services/messages/mail/file-mailer.ts';
import { SmtpMailer } from '../services/messages/mail/smtp-mailer.ts';
import { createWatch } from '../services/operation/watch/watch.ts';
import { configuredKeys } from '../services/platform/encryption/seal.ts';
import { sharedObjectStore } from '../services/platform/files/objects/store.ts';
import { redraw } from '../services/platform/images/redraw.ts';
import { Outbound } from '../services/platform/outbound/outbound.ts';
import type { ClaimedEvent } from '../services/platform/outbox/claim.ts';
import { ServiceClient } from '../services/platform/temporal/client.ts';
import { type CompanyNames, companyNames } from '../services/platform/temporal/company-names.ts';
import { startTracing } from '../services/platform/tracing/start.ts';
import { tracedStarts } from '../services/platform/tracing/starts.ts';
import { Logos } from '../services/trade/pdf/logos.ts';
import { AUTOMATIONS_QUEUE } from '../workflows/integrations/automations/contract.ts';
import { WEBHOOKS_QUEUE } from '../workflows/integrations/webhooks/contract.ts';
import { MAIL_QUEUE } from '../workflows/messages/mail/contract.ts';
import { TASKS_QUEUE } from '../workflows/platform/tasks/contract.ts';
import { REPORTS_QUEUE } from '../workflows/reports/generation/contract.ts';
import { DOCUMENTS_QUEUE, PDF_QUEUE } from '../workflows/trade/documents/contract.ts';
import { Browser } from './browser.ts';
import { type Bundle, workflowBundle } from './bundle.ts';
import { reachDatabase, reachTemporal, StartError } from './connect.ts';
import { Counts, countingInterceptor } from './counts.ts';
import { drainOn } from './drain.ts';
import { eagerStarts } from './eager-starts.ts';
import { Heartbeat } from './heartbeat.ts';
import { dueStarts, Lateness } from './lateness.ts';
import { logCircuit } from './logger.ts';
import { mailHandlers } from './mail-handlers.ts';
import { scheduleMaintenance } from './maintenance.ts';
import { queueWorkers } from './queue-workers.ts';
import { type Queue, SLOTS } from './queues.ts';
import { hourlyComparison } from './reconcile/hourly.ts';
import { startRedelivery } from './redelivery.ts';
import { Pace } from './relay/pace.ts';
import { Relay } from './relay/relay.ts';
import { WakeUp } from './relay/wake-up.ts';
import { compareSchedules } from './schedules/compare.ts';
import { keepHeadersSealed } from './sealed-headers.ts';
import { atStartup } from './startup.ts';
import { tenantCheck } from './tenant-check.ts';
import { tracedActivities } from './traced-activities.ts';
import { deploymentOptions, OwnVersion, workerVersion } from './versions.ts';

export interface WorkerProcessOptions {
  readonly config: Config;
  readonly queues: readonly Queue[];
  readonly relay: boolean;
  /** How long running activities may continue after a stop signal. */
  readonly graceSeconds: number;
  readonly logger: Logger;
  /** Stops the work, or the start while it is under way. */
  readonly stop: AbortSignal;
  /** Version of its code, if it tells it; that of the release by default. */
  readonly version?: string;
}

/**
 * Works until `stop` is signalled, then drains: the relay first, then the workers.
 * @throws StartError when a server cannot be reached at start; Error when a worker fails for good
 */
export async function runWorker(options: WorkerProcessOptions): Promise<void> {
  const { config, queues, logger, stop } = options;
  const { url, directUrl, isPooled } = config.database;
  const { address, namespace } = config.temporal;
  const missing = [url === undefined ? 'DATABASE_URL' : '', address === undefined ? 'TEMPORAL_ADDRESS' : ''].filter(
    Boolean,
  );
  if (url === undefined || directUrl === undefined || address === undefined) {
    throw new StartError(
      `${missing.join(' and ')} missing: start the service first (npm start), so that this worker can join it, or set both`,
    );
  }
  const closers: (() => Promise<void>)[] = [];
  try {
    closers.push(await startTracing(config.tracing, 'worker'));
    const storageBudget = config.storage.perCompanyBytes;
    const database = new Database({
      url,
      poolSize: config.database.poolSize,
      applicationName: 'worker',
      isPooled,
      storageBudget,
    });
    closers.push(() => database.close());
    await reachDatabase(database, stop);
    const connection = await reachTemporal({ ...config.temporal, address }, stop);
    closers.push(() => connection.close());
    const outbound = new Outbound({ targets: config.webhooks.targets });
    closers.push(() => outbound.close());
    const browser = new Browser(findChromium, logger);
    closers.push(() => browser.close());

    const gate = new Gate({
      slots: SLOTS[WEBHOOKS_QUEUE].maxConcurrentActivityTaskExecutions,
      changed: (webhook, change) => logCircuit(logger, webhook, change),
    });
    const bundle = await workflowBundle(logger);
    const workers: Worker[] = [];
    const version = config.temporal.versioned
      ? new OwnVersion(options.version ?? workerVersion(bundle), connection, namespace, logger)
      : null;
    const eager = eagerStarts(workers, version);
    const names = companyNames(database);
    const client = new ServiceClient({ connection, namespace, names }, [tracedStarts, eager]);
    const lateness = new Lateness((poke) => database.notify(OUTBOX_CHANNEL, poke));
    closers.push(async () => lateness.stop());
    const activities = activitiesByQueue({ config, database, outbound, gate, browser, client, logger });
    const counts = new Counts();
    const workerClass = queueWorkers(Object.values(activities));
    for (const queue of queues) {
      const common = {
        workerClass,
        connection,
        namespace,
        bundle,
        activities: activities[queue],
        counts,
        lateness,
        names,
        options,
        version,
      };
      workers.push(await createWorker({ ...common, name: queue, slots: SLOTS[queue] }));
    }
    const heartbeat = new Heartbeat(database, queues, logger, counts, (workers) => {
      gate.peers = workers.get(WEBHOOKS_QUEUE) ?? 1;
    });
    const starts = [tracedStarts, dueStarts(Date.now), eager];
    const relaysClient = new ServiceClient({ connection, namespace, names }, starts);
    const relay = options.relay
      ? makeRelay({ config, listenUrl: directUrl, database, client: relaysClient, gate, counts, logger })
      : null;

    if (queues.includes(TASKS_QUEUE)) await scheduleMaintenance(client, config);
    await recordStart(database, config.startId);
    await heartbeat.start();
    closers.push(() => heartbeat.stop());
    const watch = createWatch({ config, database, logger, now: () => new Date() });
    watch.start();
    closers.push(() => watch.stop());
    await relay?.wakeUp.listen();
    relay?.relay.start();
    if (relay) closers.push(() => relay.wakeUp.close());
    if (relay) void keepHeadersSealed({ database, keys: configuredKeys(config), logger, stop });
    if (relay) void atStartup({ database, client, logger, stop });
    if (version) void version.follow(stop);
    logger.info({ queues, relay: options.relay, address, namespace }, `Working on ${queues.join(', ')}`);
    if (queues.includes(PDF_QUEUE) || queues.includes(REPORTS_QUEUE)) void browser.look();
    await drainOn(
      stop,
      workers,
      async () => relay?.relay.stop(),
      (error) =>
        logger.warn(
          { error: String(error) },
          'A worker has ended and left something behind; Temporal repeats what was not done',
        ),
    );
  } finally {
    for (const close of closers.reverse()) {
      await close().catch((error: unknown) => logger.warn({ error: String(error) }, 'Closing failed'));
    }
  }
}

function activitiesByQueue(deps: {
  config: Config;
  database: Database;
  outbound: Outbound;
  gate: Gate;
  browser: Browser;
  client: ServiceClient;
  logger: Logger;
}): Record<Queue, object> {
  const { config, database, outbound, gate, browser, client, logger } = deps;
  const now = () => new Date();
  const encryptionKeys = configuredKeys(config);
  const links = { keys: encryptionKeys, keepDays: config.keep.taskFilesDays };
  const logos = new Logos({
    outbound,
    logger,
    now,
    redraw: async (bytes) => redraw(bytes, { env: await fontEnvironment() }),
  });
  const { smtpUrl, from } = config.mail;
  const mails = createMailActivities({
    database,
    mailer:
      smtpUrl === undefined
        ? new FileMailer(config.dataDir, from)
        : new SmtpMailer(smtpUrl, from, (message) => logger.warn({ error: message }, 'The mail server cannot be used')),
    kinds: mailHandlers(config),
    pace: config.mail,
    now,
  });
  const automations = createAutomationActivities({
    database,
    outbound,
    gate,
    encryptionKeys,
    mail: config.mail,
    now,
  });
  return {
    [AUTOMATIONS_QUEUE]: { ...automations, ...createAutomationScheduleActivities({ database, now }) },
    [DOCUMENTS_QUEUE]: {
      ...createDocumentActivities({ database, now }),
      ...createPaymentActivities({ database, links, now }),
      ...mails,
    },
    [MAIL_QUEUE]: mails,
    [WEBHOOKS_QUEUE]: {
      ...automations,
      ...createWebhookActivities({ database, outbound, gate, encryptionKeys, now }),
      ...createVerifactuActivities({ database, config: config.verifactu, encryptionKeys, now }),
      ...createFaceActivities({
        database,
        config: config.face,
        encryptionKeys,
        store: sharedObjectStore(config.attachments.store),
        maxTotalBytes: config.attachments.maxBytes,
        now,
      }),
      ...createPushActivities({
        database,
        outbound,
        encryptionKeys,
        appUrl: config.appUrl,
        mailFrom: config.mail.from.address,
        now,
      }),
    },
    [PDF_QUEUE]: createPdfActivities({ database, browser, logos, now }),
    [REPORTS_QUEUE]: {
      ...createTaskActivities({ database, now }),
      ...createReportScheduleActivities({ database, now }),
      ...createReportActivities({ database, browser, logos, links, mail: config.mail, appUrl: config.appUrl, now }),
    },
    [TASKS_QUEUE]: {
      ...createTaskActivities({ database, now }),
      ...createImportActivities({ database, links, now }),
      ...createDueEntryActivities({ database, now }),
      ...createAssetActivities({ database, links, now }),
      ...createRecurringActivities({ database, links, now }),
      ...createExchangeActivities({ database, outbound, address: config.exchange.ratesUrl, now }),
      ...createPayrollActivities({ database, links, now }),
      ...createAccrualActivities({ database, links, now }),
      ...createDailySummaryActivities({ database, limits: config.mail, now }),
      ...createStockActivities({ database, now }),
      ...createPaymentActivities({ database, links, now }),
      ...createStorageActivities({ database, now }),
      ...createPruningActivities({
        database,
        keep: config.keep,
        dataDir: config.dataDir,
        store: sharedObjectStore(config.attachments.store),
        now,
      }),
      ...createScheduleActivities((alive) => compareSchedules({ database, client, now }, alive)),
      ...createLifecycleActivities({ compare: hourlyComparison({ database, client, logger }) }),
      ...createRecoveryActivities({
        database,
        now,
        redeliver: (input, about) => startRedelivery(client, input, about),
      }),
    },
  };
}

async function createWorker(deps: {
  workerClass: typeof Worker;
  connection: NativeConnection;
  namespace: string;
  /** Name of its task queue. */
  name: string;
  slots: (typeof SLOTS)[Queue];
  bundle: Bundle;
  activities: object;
  counts: Counts;
  lateness: Lateness;
  names: CompanyNames;
  options: WorkerProcessOptions;
  version: OwnVersion | null;
}): Promise<Worker> {
  const { graceSeconds } = deps.options;
  return deps.workerClass.create({
    connection: deps.connection,
    namespace: deps.namespace,
    taskQueue: deps.name,
    workflowBundle: deps.bundle,
    ...(deps.version === null ? {} : { workerDeploymentOptions: deploymentOptions(deps.version.name) }),
    activities: deps.activities,
    sinks: deps.lateness.sinks,
    interceptors: { activity: [tracedActivities, countingInterceptor(deps.counts), tenantCheck(deps.names)] },
    shutdownGraceTime: graceSeconds * 1000,
    // Activities that ignore their cancellation are abandoned a little later; Temporal repeats them elsewhere.
    shutdownForceTime: graceSeconds * 1000 + 1500,
    ...deps.slots,
  });
}

function makeRelay(deps: {
  config: Config;
  listenUrl: string;
  database: Database;
  client: ServiceClient;
  gate: Gate;
  counts: Counts;
  logger: Logger;
}): {
  relay: Relay;
  wakeUp: WakeUp;
} {
  const logger = deps.logger.child({ part: 'relay' });
  const wakeUp = new WakeUp(deps.listenUrl, logger);
  const { database, client, gate, counts } = deps;
  const now = () => new Date();
  const handedOver = (event: ClaimedEvent) => {
    counts.add('relay_events_total', { event: event.event });
    counts.add('relay_lag_seconds_total', { event: event.event }, (Date.now() - Date.parse(event.createdAt)) / 1000);
  };
  const pace = new Pace(deps.config.companyPercent);
  const deliveryDelay = (webhookId: string, eventId: string) => gate.firstLookIn(webhookId, eventId);
  return { relay: new Relay({ database, client, wakeUp, logger, now, handedOver, deliveryDelay }, pace), wakeUp };
}
