/** Default settings of the parts. */
import { availableParallelism } from 'node:os';
import type { Config } from '../config/index.ts';

/** By default the API uses half of the cores, but at most four processes: PostgreSQL and Temporal need the rest more. */
const MAX_PROCESSES = 4;

/** Returns API_PROCESSES for the parts. */
export function apiProcesses({ api }: Config, env: NodeJS.ProcessEnv, cores: number = availableParallelism()): number {
  const given = env.API_PROCESSES?.trim();
  return given ? api.processes : Math.min(MAX_PROCESSES, Math.max(1, Math.floor(cores / 2)));
}
