/** `bms listen` shows events as they happen and forwards them, signed as webhooks are; `bms trigger` sends a sample of one. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Transport } from '../clients/typescript/src/transport.ts';
import { UsageError } from './exit.ts';
import { ask, current } from './session.ts';
import { signature } from './signature.ts';

interface Envelope {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Polled {
  readonly data: readonly Envelope[];
  readonly cursor: string;
  readonly has_more: boolean;
}
interface Listening {
  readonly profile?: string;
  readonly json?: boolean;
  readonly forward?: string;
  readonly events?: string;
  readonly secret?: string;
  readonly after?: string;
}

/** Time between looks for events: as soon as a person would notice. */
const PAUSE_MS = 1000;
const ANSWER_MS = 15_000;
/** Signs samples, unless another one is given. */
const TEST_SECRET = 'whsec_c2VjcmV0IG9mIHNhbXBsZXM=';

async function forward(url: string, secret: string, envelope: object): Promise<string> {
  const body = JSON.stringify(envelope);
  const { event, id } = envelope as Envelope;
  const began = performance.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Event': event,
        ...signature(secret, id, body, new Date()),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.arrayBuffer();
    return `${answer.status} in ${Math.round(performance.now() - began)} ms`;
  } catch (error) {
    return `no answer: ${error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)}`;
  }
}

async function listen(options: Listening): Promise<void> {
  const {
    forward: target,
    events,
    json = false,
    profile,
    secret = `whsec_${randomBytes(24).toString('base64')}`,
  } = options;
  if (target !== undefined && !URL.canParse(target))
    throw new UsageError(`${target} must be an address such as http://localhost:8080/hook`);
  const transport = current(profile);
  let after = options.after ?? (await poll(transport, 'now', events)).cursor;
  if (target !== undefined) process.stderr.write(`Forwarding to ${target}, signed with the secret ${secret}\n`);
  process.stderr.write('Listening; Ctrl-C ends it\n');
  for (;;) {
    const { data, cursor, has_more: hasMore } = await poll(transport, after, events);
    for (const envelope of data) {
      const outcome = target === undefined ? '' : `  → ${await forward(target, secret, envelope)}`;
      if (json) process.stdout.write(`${JSON.stringify(envelope)}\n`);
      else process.stdout.write(`${envelope.timestamp}  ${envelope.event}  ${about(envelope)}${outcome}\n`);
    }
    after = cursor;
    if (!hasMore) await pause(PAUSE_MS);
  }
}

async function poll(transport: Transport, after: string, events: string | undefined): Promise<Polled> {
  return (await ask(transport, 'GET', '/api/events', { query: { after, events } })) as Polled;
}

function about({ data }: Envelope): string {
  return String(data.code ?? data.document_code ?? data.name ?? data.id ?? data.document_id ?? '');
}

async function trigger(event: string, options: Listening & { readonly to: string }): Promise<void> {
  const { profile, to, secret = TEST_SECRET } = options;
  const { data } = (await ask(current(profile), 'GET', '/api/webhooks/events')) as {
    data: readonly { readonly event?: string; readonly name?: string; readonly sample: object }[];
  };
  const found = data.find((one) => (one.event ?? one.name) === event);
  if (found === undefined) {
    throw new UsageError(`${event} must be one of ${data.map((one) => one.event ?? one.name).join(', ')}`);
  }
  const outcome = await forward(to, secret, found.sample);
  process.stdout.write(`${event} → ${outcome}\n`);
  if (!/^2\d\d/.test(outcome)) process.exitCode = 1;
}

/** Adds the commands. */
export function addListenCommands(program: Command): void {
  program
    .command('listen')
    .description('shows events as they happen, and forwards them to an address of this machine')
    .option('--forward <url>', 'sends each there, signed like a webhook')
    .option('-e, --events <names>', 'only these, comma-separated: document.locked,payment.*')
    .option('--secret <secret>', 'signs with it; by default one is made and shown')
    .option('--after <cursor>', 'begins there, not now')
    .action((options: Listening, { parent }: Command) => listen({ ...parent?.opts(), ...options }));
  program
    .command('trigger <event>')
    .description(
      'sends a sample of an event to an address, signed like a webhook: bms trigger document.locked --to http://localhost:8080',
    )
    .requiredOption('--to <url>', 'the address')
    .option('--secret <secret>', 'signs with it', TEST_SECRET)
    .action((event: string, options: Listening & { to: string }, { parent }: Command) =>
      trigger(event, { ...parent?.opts(), ...options }),
    );
}
