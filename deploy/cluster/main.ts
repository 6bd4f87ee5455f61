/**
 * `npm run cluster [-- start|stop|kill|failover|roll|status] [part]`: the topology of docs/deployment.md as processes of this machine, on
 * one folder (CLUSTER_DIR).
 */
import { Command } from 'commander';
import { errorMessage, StartError } from '../../runtime/errors.ts';
import { Cluster } from './cluster.ts';
import { databaseUrl } from './databases.ts';
import { API_PROCESSES, environment } from './service.ts';

const { CLUSTER_DIR = '.cluster', PORT = '3000' } = process.env;
const cluster = await Cluster.open(CLUSTER_DIR, Number(PORT));
const { place } = cluster;

const command = new Command('cluster').description('Runs the service as on several machines, as processes of this one');
command
  .command('start [part]', { isDefault: true })
  .description('starts everything, or a part, and returns')
  .option('--release <folder>', 'the folder of the service to run, if it is another release')
  .option('--plain', 'give it one PostgreSQL and no PgBouncer, which is what 1.0.0 knows')
  .action(async (part: string | undefined, { release, plain }: { release?: string; plain?: boolean }) => {
    if (plain !== undefined) place.isPlain = plain;
    if (part !== undefined) return cluster.start(part, release);
    await cluster.startAll(release);
    tell();
  });
command
  .command('stop [part]')
  .description('stops everything, or a part: running work is finished')
  .action((part?: string) => (part === undefined ? cluster.stopAll() : cluster.stop(part)));
command
  .command('kill <part>')
  .description('ends a part with SIGKILL')
  .action((part: string) => cluster.kill(part));
command
  .command('failover')
  .description('makes the standby of PostgreSQL the primary')
  .action(async () => {
    await cluster.failOver();
    console.log(`${place.primary} is the primary`);
  });
command
  .command('roll')
  .description('migrates, and replaces all API processes and workers one after the other')
  .option('--release <folder>', 'the folder of the service to go on with')
  .action(({ release }: { release?: string }) => cluster.roll(undefined, release));
command
  .command('env')
  .description(
    'prints the settings of the processes, for other commands: `env $(npm run -s cluster -- env) npm run verify`',
  )
  .action(() => {
    const own = environment(place);
    for (const [name, value] of Object.entries(own)) if (process.env[name] !== value) console.log(`${name}=${value}`);
  });
command
  .command('status')
  .description('lists the parts')
  .action(() => {
    for (const { name } of cluster.parts())
      console.log(`${cluster.isRunning(name) ? 'runs' : 'away'}  ${name}${role(name)}`);
  });

try {
  await command.parseAsync();
} catch (error) {
  console.error(error instanceof StartError ? error.message : `The cluster failed: ${errorMessage(error)}`);
  process.exitCode = 1;
}

function role(name: string): string {
  if (name === place.primary) return ' (primary)';
  return name === place.standby ? ' (standby)' : '';
}

function tell(): void {
  console.log(
    [
      '',
      'Ready.',
      `  API         http://127.0.0.1:${place.port('balancer')} (processes ${API_PROCESSES.map((name) => place.port(name)).join(', ')})`,
      `  Temporal    127.0.0.1:${place.port('temporal')}`,
      `  PostgreSQL  ${databaseUrl(place, 'bms_owner').replace(/:[^:@/]+@/, ':…@')}`,
      `  Mails       ${place.path('data', 'mail')}`,
      `  Logs        ${place.path('logs')}`,
      '',
      'npm run cluster -- status|stop|kill <part>|failover|roll',
    ].join('\n'),
  );
}
