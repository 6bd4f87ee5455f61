/** The client for Python on a running service, where there is a Python with what it needs. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { OWNER } from '../helpers/app.ts';
import { useIntegrations, useWorker } from '../helpers/hooks.ts';
import { testConfig } from '../helpers/worker.ts';
import { sampleCalls } from './samples.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PYTHON = process.env.PYTHON ?? 'python3';
const SECRET = 'a secret of sixteen or more';
const NEEDED = `import httpx, pydantic, sys
assert sys.version_info >= (3, 10) and tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 6)`;
const isThere = spawnSync(PYTHON, ['-c', NEEDED]).status === 0;

/** Parses each example, and follows its method from the client. */
const CHECK = `import ast, json, sys
from business_management_client import Client
client = Client("http://127.0.0.1:1", api_key="key")
checked = 0
for sample in json.load(open(sys.argv[1])):
    calls = [node for node in ast.walk(ast.parse(sample)) if isinstance(node, ast.Call)]
    method = next(ast.unparse(call.func) for call in calls if ast.unparse(call.func).startswith("client."))
    found = client
    for name in method.split(".")[1:]:
        found = getattr(found, name)
    assert callable(found), method
    checked += 1
print(checked)`;

(isThere ? describe : describe.skip)('the client for Python', function () {
  this.timeout(240_000);
  const { app, temporal } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  before(() => {
    execFileSync(process.execPath, ['--import', 'tsx', 'clients/python/generate.ts'], { cwd: ROOT });
  });

  const python = async (words: string[]) => {
    const env = {
      ...process.env,
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      API: app.address,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { stdout } = await promisify(execFile)(PYTHON, words, { cwd: ROOT, env });
    return stdout;
  };

  it('carries an order to invoice, payment, webhook and refund, and survives lost answers', async () => {
    const use = 'test/clients/use/python_client.py';
    assert.equal(await python([use, app.address, OWNER.email, OWNER.password, SECRET]), '"done"\n');
  });

  it('does what its README says', async () => {
    const page = readFileSync(join(ROOT, 'clients/python/README.md'), 'utf8');
    const examples = [...page.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code).join('\n');
    const account = examples
      .replaceAll('owner@example.com', OWNER.email)
      .replaceAll('"correct horse battery"', JSON.stringify(OWNER.password));
    const output = await python(['-c', account]);
    assert.match(output, /SINV\d{4}-\d+ 193\.6/);
    assert.match(output, /validation_failed \/name/);
    assert.match(output, /\['Bar Centro'\]/);
  });

  it('has the method of each example on the pages at /docs', async () => {
    const samples = [...sampleCalls()].map(({ samples: { python } }) => python);
    assert.ok(samples.length > 400, String(samples.length));
    const folder = mkdtempSync(join(tmpdir(), 'samples-'));
    try {
      writeFileSync(join(folder, 'samples.json'), JSON.stringify(samples));
      assert.equal(await python(['-c', CHECK, join(folder, 'samples.json')]), `${samples.length}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
