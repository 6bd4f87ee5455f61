/** The receivers of docs/webhooks.md, each where its language is there: what is genuine is taken once, the rest is refused. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signature } from '../../cli/signature.ts';
import { freePort } from '../../runtime/ports.ts';
import { eventually } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==';
const PAGE = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const [, RECEIVERS = ''] = PAGE.split('## Whole receivers');

/** How each is started, in its folder. */
const LANGUAGES: Readonly<Record<string, { file: string; command: (port: number) => string[] }>> = {
  ts: { file: 'receiver.ts', command: () => [process.execPath, '--import', import.meta.resolve('tsx'), 'receiver.ts'] },
  python: { file: 'receiver.py', command: () => ['python3', 'receiver.py'] },
  php: { file: 'receiver.php', command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'] },
};

describe('receivers of webhooks', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'receivers-'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder, 'node_modules'));
    const client = join(folder, 'node_modules/business-management-client');
    mkdirSync(client);
    // The part of the package that needs no generated code.
    writeFileSync(join(client, 'package.json'), '{ "type": "module", "exports": "./src/webhooks.ts" }');
    symlinkSync(join(ROOT, 'clients/typescript/src'), join(client, 'src'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [language, { file, command }] of Object.entries(LANGUAGES)) {
    const [program = ''] = command(0);
    const isThere = spawnSync(program, ['--version']).status === 0;
    (isThere ? it : it.skip)(`in ${language} take what is genuine, once`, async () => {
      const [, code = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(RECEIVERS) ?? [];
      writeFileSync(join(folder, file), code);
      const port = await freePort();
      const [name = '', ...words] = command(port);
      const env = { ...process.env, SECRET, PORT: String(port), TMPDIR: folder };
      const receiver: ChildProcess = spawn(name, words, { cwd: folder, env });
      let said = '';
      for (const stream of [receiver.stdout, receiver.stderr]) {
        stream?.on('data', (bytes: Buffer) => {
          said += bytes;
        });
      }
      try {
        const id = `event-${language}`;
        const body = JSON.stringify({ id, event: 'document.locked', data: { code: 'SINV2026-00001' } });
        const send = async (headers: Record<string, string>) =>
          (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
        const genuine = () => signature(SECRET, id, body, new Date());
        await eventually(async () => assert.equal(await send(genuine()), 204));
        assert.equal(await send(genuine()), 204, 'a repetition is accepted');
        assert.equal(await send({}), 401);
        assert.equal(await send({ ...genuine(), 'X-Service-Signature': 'sha256=00' }), 401);
        assert.equal(await send(signature(SECRET, id, body, new Date(Date.now() - 600_000))), 401, 'too old');
        assert.equal(await send(signature('another', id, body, new Date())), 401);
        await eventually(() => assert.equal(said.split('document.locked').length, 2, said));
        assert.match(said, /SINV2026-00001/);
      } finally {
        receiver.kill();
        await once(receiver, 'close');
      }
    });
  }
});
