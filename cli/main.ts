/** `bms`: the business management service on the command line. */
import { Command, CommanderError } from 'commander';
import { SERVICE_VERSION } from '../config/version.ts';
import { addAccountCommands } from './account.ts';
import { completionScript } from './completion.ts';
import { EXIT, exitCode, inWords } from './exit.ts';
import { addFileCommands } from './files.ts';
import { addListenCommands } from './listen.ts';
import { addRecordCommands } from './records.ts';
import { addServiceCommands } from './service.ts';

const HELP = `
Records are named by the paths of the interface without /api: partners, sales/invoices, payments/in.
BMS_URL with BMS_API_KEY (and BMS_TENANT_ID) take the place of a profile.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the service, 4 the service does not answer,
5 nobody is logged in.`;

/** The whole command. */
export function bms(): Command {
  const program = new Command('bms')
    .description('The business management service on the command line')
    .version(SERVICE_VERSION)
    .option('-p, --profile <name>', 'works with this profile, not the current one')
    .option('--json', 'prints JSON, for programs')
    .addHelpText('after', HELP)
    .showHelpAfterError('(bms --help tells how)')
    .exitOverride();
  addRecordCommandsIn(program);
  return program;
}

function addRecordCommandsIn(program: Command): void {
  const company = program.command('company').description('makes, finds and moves companies');
  const ops = program.command('ops').description('what operators look at: events set aside, missing work');
  addAccountCommands(program, company);
  addRecordCommands(program);
  addFileCommands(program);
  addListenCommands(program);
  addServiceCommands(program, { company, ops });
  program
    .command('completion <shell>')
    .description('prints what the Tab key needs: eval "$(bms completion bash)", zsh or fish')
    .action((shell: string) => void process.stdout.write(completionScript(program, shell)));
}

/** Runs a command. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const program = bms();
  for (const one of everyCommand(program)) one.exitOverride();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${inWords(error)}\n`);
    return exitCode(error);
  }
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...everyCommand(one)]);
}

process.exitCode = await main(process.argv.slice(2));
