/**
 * Lets workers of two releases run side by side (Temporal's worker deployments). The newer release becomes current as soon as it works on
 * every queue; from then on it gets all workflow tasks, also those of workflows that the older one began, which cannot go on with what the
 * newer one does.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { SERVICE_VERSION } from '../config/version.ts';
import type { Bundle } from './bundle.ts';

export const DEPLOYMENT = 'business-management-service';
const RETRY_MS = 1000;
const PATIENT_MS = 10 * RETRY_MS;
const WAITS = 'waits: ';

/** Names the code that a worker runs: its release, and what its workflows are. */
export function workerVersion(bundle: Bundle): string {
  const code = createHash('sha256').update(readFileSync(bundle.codePath)).digest('hex');
  return `${SERVICE_VERSION}-${code.slice(0, 8)}`;
}

/** Options of a worker of that version. Its workflows move on to the version that is current: lifecycles live for months. */
export function deploymentOptions(version: string): WorkerDeploymentOptions {
  return {
    version: { deploymentName: DEPLOYMENT, buildId: version },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  };
}

/** The version of the workers of this process, while it becomes current. */
export class OwnVersion {
  readonly name: string;
  readonly #connection: NativeConnection;
  readonly #namespace: string;
  readonly #logger: Logger;
  #current = false;

  constructor(name: string, connection: NativeConnection, namespace: string, logger: Logger) {
    this.name = name;
    this.#connection = connection;
    this.#namespace = namespace;
    this.#logger = logger;
  }

  /** Whether workflows may begin with it: the first task of one that begins with another version would be lost. */
  get isCurrent(): boolean {
    return this.#current;
  }

  /**
   * Makes it current once it works on all queues of the version before, unless that is newer; goes on looking, since another one may become
   * current. Ends with `stop`.
   */
  async follow(stop: AbortSignal): Promise<void> {
    let [told, refusals] = ['', 0];
    while (!stop.aborted) {
      const state = await this.#look().catch((error: unknown) => reason(error));
      this.#current = state === 'current';
      refusals = state.startsWith(WAITS) ? refusals + 1 : 0;
      if (state !== told)
        this.#logger.info({ part: 'versions', version: this.name }, `This version of the workers: ${state}`);
      told = state;
      // Each refusal was an update of a workflow of Temporal's own, which takes few at a time, and those that register queues too.
      const pause = this.#current ? PATIENT_MS : Math.min(RETRY_MS * 2 ** refusals, PATIENT_MS);
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  async #look(): Promise<string> {
    const { workflowService } = this.#connection;
    const deployment = { namespace: this.#namespace, deploymentName: DEPLOYMENT };
    const { conflictToken, workerDeploymentInfo } = await workflowService.describeWorkerDeployment(deployment);
    const current = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
    if (current === this.name) return 'current';
    const known = workerDeploymentInfo?.versionSummaries ?? [];
    const own = known.find(({ deploymentVersion }) => deploymentVersion?.buildId === this.name);
    if (own === undefined) return 'not known yet';
    const wasCurrent = own.lastCurrentTime != null;
    if (current !== null && !supersedes(this.name, current, wasCurrent)) return `${current} is current`;
    await workflowService.setWorkerDeploymentCurrentVersion({ ...deployment, buildId: this.name, conflictToken });
    return 'current';
  }
}

/**
 * Whether a version takes the place of the current one: a later release does, and another build of the same release if it is new.
 * @param wasCurrent whether it was current before
 */
export function supersedes(version: string, current: string, wasCurrent: boolean): boolean {
  const [own, other] = [release(version), release(current)];
  const at = own.findIndex((part, index) => part !== other[index]);
  return at < 0 ? !wasCurrent : (own[at] as number) > (other[at] as number);
}

function release(version: string): readonly number[] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return [major, minor, patch].map((part) => Number(part ?? 0));
}

/** Says why it is not current yet. */
function reason(error: unknown): string {
  return `${WAITS}${isGrpcServiceError(error) ? error.details || error.message : String(error)}`;
}
