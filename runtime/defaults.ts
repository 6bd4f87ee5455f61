/** Settings that the parts get when none are given. */
import { availableParallelism } from 'node:os';
import { type Config, privateTargetsByDefault } from '../config/index.ts';

/** Half of the cores are for the API, unless told otherwise; beyond four processes, PostgreSQL and Temporal need them more. */
const MAX_PROCESSES = 4;

/** API_PROCESSES of the parts. */
export function apiProcesses({ api }: Config, env: NodeJS.ProcessEnv, cores: number = availableParallelism()): number {
  const given = env.API_PROCESSES?.trim();
  return given ? api.processes : Math.min(MAX_PROCESSES, Math.max(1, Math.floor(cores / 2)));
}

/** WEBHOOK_ALLOW_PRIVATE_TARGETS of the parts. */
export function privateTargets(config: Config, env: NodeJS.ProcessEnv): string {
  return env.WEBHOOK_ALLOW_PRIVATE_TARGETS?.trim() || String(privateTargetsByDefault(config));
}
