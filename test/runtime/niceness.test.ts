import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { Command } from '../../runtime/command.ts';
import { givingWay } from '../../runtime/niceness.ts';

const AUTOGROUP = '/proc/self/autogroup';

describe('programs that give way', () => {
  /** Returns what a command prints when run as a session leader. */
  async function printed({ file, args }: Command): Promise<string> {
    const child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    return output;
  }

  it('have a lower priority than what starts them, whole sessions where those count', async () => {
    const script = `console.log(os.getPriority(), fs.existsSync('${AUTOGROUP}') && fs.readFileSync('${AUTOGROUP}', 'utf8'))`;
    const plain = { file: process.execPath, args: ['-e', script] };
    const before = getPriority();
    assert.match(await printed(plain), new RegExp(`^${before} (false|/autogroup-\\d+ nice 0)`));
    const group = existsSync(AUTOGROUP) ? '/autogroup-\\d+ nice 7' : 'false';
    assert.match(await printed(givingWay(plain, 7)), new RegExp(`^${Math.max(before, 7)} ${group}`));
  });

  it('are one process, with the arguments and the exit code that they would have', async () => {
    const script = 'console.log(JSON.stringify([process.pid, ...process.argv.slice(1)])); process.exitCode = 7';
    const argument = '$(id) "quoted" \\';
    const { file, args } = givingWay({ file: process.execPath, args: ['-e', script, argument] }, 5);
    const child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const [[output], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.deepEqual(JSON.parse(String(output)), [child.pid, argument]);
    assert.equal(code, 7);
  });

  it('start as they are on a machine without nice', () => {
    const command = { file: process.execPath, args: ['-v'] };
    assert.equal(givingWay(command, 5, { PATH: '/nowhere' }), command);
  });
});
