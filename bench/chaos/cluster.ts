/** The cluster of processes (deploy/cluster), on which a kind of service manager starts again what has died. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../../deploy/cluster/cluster.ts';
import { databaseUrl, serverUrl } from '../../deploy/cluster/databases.ts';
import { SERVERS } from '../../deploy/cluster/place.ts';
import { NAMESPACE } from '../../deploy/cluster/temporal.ts';
import { freePort } from '../../runtime/ports.ts';
import { type CuttableProxy, startProxy } from '../../test/helpers/proxy.ts';
import { LENIENT } from '../service.ts';
import { setUpCompany } from '../stage.ts';
import { clusterHarms } from './cluster-harms.ts';
import type { Fault } from './harm.ts';
import { ServiceManager } from './service-manager.ts';
import type { Target } from './target.ts';

/** Size of the disk of its own that a cluster gets where that is allowed. */
const DISK = '6g';

export interface ClusterTarget extends Target {
  /** Replaces the service's processes one after the other by those of this release. */
  roll(): Promise<Fault[]>;
}

/** @param release folder of the service that its processes run; this one by default */
export async function openCluster(release?: string): Promise<ClusterTarget> {
  // 1.0.0 knows no list of targets.
  Object.assign(process.env, LENIENT, release === undefined ? {} : { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' });
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tmpfs', folder]).status === 0;
  const cluster = await Cluster.open(folder, await freePort(), () => undefined);
  const { place } = cluster;
  const links: Record<string, CuttableProxy> = {};
  for (const name of [...SERVERS, 'temporal']) links[name] = await startProxy(`127.0.0.1:${place.port(name)}`);
  place.link(Object.fromEntries(Object.entries(links).map(([name, { port }]) => [name, port])));
  if (release !== undefined) place.isPlain = true;
  const manager = new ServiceManager(cluster);
  const stop = async () => {
    await manager.stop();
    await cluster.stopAll();
    for (const link of Object.values(links)) await link.close();
    if (hasDisk) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await cluster.startAll(release);
    const address = `http://127.0.0.1:${place.port('balancer')}`;
    const company = await setUpCompany(address);
    manager.start();
    return {
      ...company,
      address,
      async roll() {
        const faults: Fault[] = [];
        const each = (part: string) => faults.push({ part, kind: 'replaced', at: performance.now() });
        await manager.aside(() => cluster.roll(each));
        return faults;
      },
      databaseUrl: databaseUrl(place, 'bms_service'),
      ownerUrl: () => serverUrl(place, 'bms_owner', place.primary),
      temporal: { address: `127.0.0.1:${place.port('temporal')}`, namespace: NAMESPACE },
      mails: place.path('data', 'mail'),
      harms: clusterHarms(cluster, manager, links, hasDisk ? folder : null),
      mended: () => manager.allRun(),
      fill: () => Promise.reject(new Error('A cluster is filled by requests')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
