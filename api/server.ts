/** `npm run api`: the API in one or several processes, with servers configured by the environment. */
import cluster from 'node:cluster';
import { type Config, ConfigError, loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { ALONE, siblings } from './siblings.ts';
import { StartError } from './start-error.ts';

try {
  const env = withLocalService(process.env);
  const config = loadConfig(env);
  if (config.api.processes > 1 && cluster.isPrimary) process.exit(await keepProcesses(config, env));
  // Loaded only in processes that serve.
  const { serve } = await import('./serve.ts');
  await serve(config, cluster.isWorker ? siblings(config.api.processes, Number(process.argv[2])) : ALONE);
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof StartError;
  const text = error instanceof Error ? ((expected ? undefined : error.stack) ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

async function keepProcesses(config: Config, env: NodeJS.ProcessEnv): Promise<number> {
  const [{ Processes }, { createLogger, loggerOptions }] = await Promise.all([
    import('./processes.ts'),
    import('./logger.ts'),
  ]);
  const processes = new Processes({ count: config.api.processes, env, logger: createLogger(loggerOptions(config)) });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => processes.stop());
  // The supervisor has exited, and could not stop this process later.
  process.on('disconnect', () => processes.stop());
  return await processes.run();
}
