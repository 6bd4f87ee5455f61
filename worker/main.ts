/** `npm run worker -- --queues documents,webhooks`: one worker process against servers given by the environment. */
import { argv, exit, stderr, stdout } from 'node:process';
import { Command } from 'commander';
import { ConfigError, loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { StartError } from './connect.ts';
import { createWorkerLogger, installRuntime } from './logger.ts';
import { parseQueues, QUEUES } from './queues.ts';
import { runWorker } from './run.ts';

/** Default time for running activities to finish; a stop then takes less than 8 s. */
const GRACE_SECONDS = 5;

const command = new Command('worker')
  .description('Runs workflows, activities and the outbox relay')
  .option('--queues <names>', `task queues to work on: any of ${QUEUES.join(', ')}`, QUEUES.join(','))
  .option('--no-relay', 'leave the outbox to other workers')
  .option('--grace <seconds>', 'how long running activities may continue after a stop', String(GRACE_SECONDS))
  .parse(argv);
const options = command.opts<{ queues: string; relay: boolean; grace: string }>();

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
// The supervisor has exited and could not stop this process later.
process.on('disconnect', () => stop.abort());

try {
  const queues = parseQueues(options.queues);
  const graceSeconds = Number(options.grace);
  if (!(graceSeconds >= 0 && graceSeconds <= 3600)) throw new StartError('--grace: give seconds from 0 to 3600');
  const config = loadConfig(withLocalService(process.env));
  const logger = createWorkerLogger(config.logLevel, stdout.isTTY === true);
  installRuntime(logger);
  await runWorker({ config, queues, relay: options.relay, graceSeconds, logger, stop: stop.signal });
  logger.info('Stopped');
  exit(0);
} catch (error) {
  if (error instanceof Error && !(error instanceof ConfigError || error instanceof StartError)) {
    stderr.write(`The worker failed: ${error.stack ?? error.message}\n`);
  } else {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  exit(1);
}
