/** `bms login`, `logout`, `profiles`, `whoami`, `keys` and `company create`. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Tokens } from '../clients/typescript/src/session.ts';
import { UsageError } from './exit.ts';
import { printJson, printTable } from './output.ts';
import { ask, connect, current, profiles } from './session.ts';

interface Login {
  readonly profile?: string;
  readonly url: string;
  readonly email?: string;
  readonly apiKey?: string;
  readonly tenant?: string;
}

interface Common {
  readonly profile?: string;
  readonly json?: boolean;
}

async function login({ profile: name = 'default', url, email, apiKey, tenant }: Login): Promise<void> {
  if (!URL.canParse(url)) throw new UsageError(`${url} must be an address such as https://erp.example.com`);
  const place = { url, ...(tenant === undefined ? {} : { tenantId: tenant }) };
  let kept: Tokens | { apiKey: string } | null =
    apiKey === undefined ? null : { apiKey: apiKey === '-' ? await secret('API key: ') : apiKey };
  const credentials = kept ?? {
    email: email ?? (await secret('E-mail: ', true)),
    password: await secret('Password: '),
  };
  const transport = connect({ ...place, credentials }, (tokens) => {
    kept = tokens;
  });
  const me = (await ask(transport, 'GET', '/api/auth/me')) as { tenant: { name: string }; role: string };
  if (kept === null) throw new Error('The service has given no tokens');
  profiles.keep(name, { ...place, credentials: kept });
  process.stdout.write(`Logged in at ${url} as ${me.role} of ${me.tenant.name} (profile ${name})\n`);
}

/** Asks on the terminal, or takes the next line of standard input. @param shown whether it may be seen */
async function secret(prompt: string, shown = false): Promise<string> {
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
  if (!shown && process.stdin.isTTY) {
    // What is typed after the prompt is not echoed.
    const writer = input as unknown as { _writeToOutput: (text: string) => void };
    writer._writeToOutput = (text) => {
      if (text.includes(prompt)) process.stderr.write(prompt);
    };
  }
  try {
    const answer = process.stdin.isTTY
      ? await input.question(prompt)
      : (await input[Symbol.asyncIterator]().next()).value;
    if (typeof answer !== 'string' || answer.trim() === '')
      throw new UsageError(`${prompt.replace(': ', '')} must not be empty`);
    return answer.trim();
  } finally {
    input.close();
    if (process.stdin.isTTY) process.stderr.write('\n');
  }
}

async function keys(options: Common): Promise<void> {
  const { data } = (await ask(current(options.profile), 'GET', '/api/api-keys', { query: { limit: 500 } })) as {
    data: Record<string, unknown>[];
  };
  if (options.json) printJson(data);
  else printTable(data, ['name', 'role', 'status', 'expiresAt', 'lastUsedAt', 'id']);
}

async function createKey(
  name: string,
  options: Common & { permissions?: string; role?: string; roleId?: string },
): Promise<void> {
  const { permissions, role, roleId, profile, json } = options;
  const rights = permissions === undefined ? { role, roleId } : { permissions: permissions.split(',') };
  const { data } = (await ask(current(profile), 'POST', '/api/api-keys', { body: { name, ...rights } })) as {
    data: { key: string };
  };
  if (json) printJson(data);
  else process.stdout.write(`${data.key}\n`);
}

async function createCompany(
  members: { name: string; taxId: string; country: string },
  options: Common,
): Promise<void> {
  const { data } = (await ask(current(options.profile), 'POST', '/api/tenants', { body: members })) as {
    data: { id: string; name: string };
  };
  if (options.json) printJson(data);
  else process.stdout.write(`${data.name} (${data.id}); work in it: bms login --tenant ${data.id} --profile …\n`);
}

/** Adds the commands. @param company the group of commands about companies */
export function addAccountCommands(program: Command, company: Command): void {
  program
    .command('login')
    .description(
      'logs in, and keeps the session as a profile; passwords and keys are asked for, or read from standard input',
    )
    .option('--url <address>', 'address of the service', process.env.BMS_URL || 'http://127.0.0.1:3000')
    .option('--email <address>', 'e-mail address of the account')
    .option('--api-key <key>', 'an API key in place of a person; - asks for it')
    .option('--tenant <id>', 'company to work in')
    .action((options: Login, { parent }: Command) => login({ ...parent?.opts(), ...options }));
  program
    .command('logout')
    .description('forgets the session of a profile')
    .action(async (_: object, { parent }: Command) => {
      const { name, profile } = profiles.find(parent?.opts().profile);
      if ('refreshToken' in profile.credentials) {
        // A session that has ended already needs no end.
        await ask(current(name), 'POST', '/api/auth/logout', {
          body: { refresh_token: profile.credentials.refreshToken },
        }).catch(() => null);
      }
      profiles.remove(name);
      process.stdout.write(`Logged out (profile ${name})\n`);
    });
  program
    .command('profiles')
    .description('lists the profiles, the current one first')
    .action(() => {
      for (const name of profiles.names()) process.stdout.write(`${name}  ${profiles.find(name).profile.url}\n`);
    });
  program
    .command('use <profile>')
    .description('makes a profile the current one')
    .action((name: string) => profiles.use(name));
  program
    .command('whoami')
    .description('shows the account, the company and the permissions')
    .action(async (_: object, { parent }: Command) =>
      printJson(await ask(current(parent?.opts().profile), 'GET', '/api/auth/me')),
    );
  const group = program
    .command('keys')
    .description('lists the API keys of the company')
    .action((_: object, { parent }: Command) => keys(parent?.opts() ?? {}));
  group
    .command('create <name>')
    .description('makes a key, and prints it once: bms keys create Shop --permissions items:read,sales_orders:create')
    .option('--permissions <list>', 'just these, comma-separated')
    .option('--role <role>', 'those of a role')
    .option('--role-id <id>', "those of a role of the company's own")
    .action((name: string, options: object, command: Command) =>
      createKey(name, { ...command.parent?.parent?.opts(), ...options }),
    );
  company
    .command('create')
    .description('makes a company of the logged-in person')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--tax-id <id>', 'its tax id')
    .option('--country <code>', 'ISO 3166 code', 'ES')
    .action((members: { name: string; taxId: string; country: string }, command: Command) =>
      createCompany(members, command.parent?.parent?.opts() ?? {}),
    );
}
