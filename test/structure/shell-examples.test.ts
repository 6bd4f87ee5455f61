import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExamples } from '../helpers/shell-examples.ts';

describe('running the examples of a page', () => {
  let cwd: string;
  let server: Server;
  before((done) => {
    cwd = mkdtempSync(join(tmpdir(), 'examples-'));
    server = createServer((request, response) => {
      response.statusCode = Number(request.url?.slice(1));
      response.end('{"code": "answered"}');
    }).listen(0, '127.0.0.1', done);
  });
  after(() => {
    server.close();
    rmSync(cwd, { recursive: true });
  });

  const run = (...blocks: string[]) => {
    const page = join(cwd, 'page.md');
    writeFileSync(page, blocks.map((block) => `Text.\n\n\`\`\`sh\n${block}\n\`\`\`\n`).join('\n'));
    return runExamples(page, {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      cwd,
      env: process.env,
    });
  };
  const GET = 'curl -s http://127.0.0.1:3000';

  it('goes through what does what it says, with what earlier blocks have set', async () => {
    await run(
      `A=${GET.slice(8)}`,
      'curl -s $A/200 > answer; grep -o answered answer   # → answered',
      `${GET}/404   # 404`,
    );
  });

  it('notices a refusal that was not announced, and one that did not come', async () => {
    await assert.rejects(run(`${GET}/200`, `${GET}/422`), /Refusals of the example at .*page\.md:10\n/);
    await assert.rejects(run(`${GET}/200   # 422`), /Refusals of the example/);
  });

  it('notices output that was promised and did not come', async () => {
    await assert.rejects(run('echo paying   # → paid'), /"paid" was not printed by the example at .*page\.md:4\n/);
  });

  it('notices a command that fails, in the middle of a pipe too', async () => {
    await assert.rejects(
      run('echo begun', 'X=$(false | cat)', 'echo done'),
      /Exit code 1 of the example at .*page\.md:10\n/,
    );
  });
});
