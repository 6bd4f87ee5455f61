/** Duration of `npm start` on a used data directory: after a stop, and after a kill -9. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../test/e2e/service-process.ts';
import { cpuSeconds } from './processes.ts';
import { type Check, median } from './report.ts';
import { serviceEnvironment } from './service.ts';

const STARTS = 3;
const LIMIT_SECONDS = 8;

interface Start {
  readonly service: ServiceProcess;
  readonly seconds: number;
  readonly cpu: number;
}

export async function secondStart(): Promise<Check> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = await serviceEnvironment(dataDir);
  const starts: Start[] = [];
  let last = await start(env);
  try {
    for (let count = 0; count < STARTS; count++) {
      await last.service.stop();
      last = await start(env);
      starts.push(last);
    }
    await last.service.kill();
    last = await start(env);
    const seconds = median(starts.map((one) => one.seconds));
    const cpu = median(starts.map((one) => one.cpu));
    const limit = LIMIT_SECONDS;
    return {
      name: 'second start, from npm start to ready',
      measured: `${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s), after a kill -9 ${last.seconds.toFixed(1)} s`,
      limit: `${limit} s`,
      passed: seconds <= limit && last.seconds <= limit,
      figures: { seconds, cpuSeconds: cpu, afterKillSeconds: last.seconds },
    };
  } finally {
    await last.service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(env: Record<string, string>): Promise<Start> {
  const begun = performance.now();
  const service = new ServiceProcess('runtime/start', [], env);
  await service.says('Ready.');
  return { service, seconds: (performance.now() - begun) / 1000, cpu: cpuSeconds(service.pid) };
}
