import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Folders about several places of the source, or about none. */
const OWN = new Set(['clients', 'concurrency', 'e2e', 'helpers', 'histories', 'model', 'structure']);
/** The layers whose suites can try a room of `services/`. */
const LAYERS = ['services', 'api', 'workflows', 'domain'];

/** Rooms of `services/` without suites at their own path, and the suites that try them, with the reason. */
const TRIED_ELSEWHERE: Readonly<Record<string, { by: string; because: string }>> = {
  'operation/metrics': { by: 'test/api/operation/health/operation.test.ts', because: 'only probes and metrics use it' },
  'platform/counters': { by: 'test/worker/counts.test.ts', because: 'processes of the worker count, the API shows' },
  'platform/feed': { by: 'test/api/messages/sockets/processes.test.ts', because: 'sockets are its only readers' },
};

/** Folders of `test/` that hold suites, relative to it, with `/` between names. */
function foldersOfSuites(): Set<string> {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true });
  const suites = names.filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'));
  assert.ok(suites.length > 200);
  return new Set(suites.map((entry) => entry.parentPath.slice(join(ROOT, 'test/').length).replaceAll('\\', '/')));
}

/** Rooms of `services/`, as `trade/stock`. */
function rooms(): string[] {
  const folders = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  return folders('services').flatMap((wing) => folders(`services/${wing}`).map((room) => `${wing}/${room}`));
}

/** Whether a layer has a suite at the path of a room. */
function isTried(room: string, folders: ReadonlySet<string>): boolean {
  const paths = LAYERS.map((layer) => `${layer}/${room}`);
  return [...folders].some((folder) => paths.some((path) => folder === path || folder.startsWith(`${path}/`)));
}

/** Whether a folder or a single file of the source has the path. */
function isSource(path: string): boolean {
  return existsSync(join(ROOT, path)) || existsSync(join(ROOT, `${path}.ts`));
}

/** Whether suites may lie in a folder: their subject has the same path, or is a room of `services/` as its clients see it. */
function hasSubject(folder: string): boolean {
  const [layer = '', ...room] = folder.split('/');
  if (OWN.has(layer) || isSource(folder)) return true;
  return layer === 'api' && isSource(['services', ...room].join('/'));
}

describe('the folders of the tests', () => {
  it('contain suites only where the source has their subject', () => {
    const astray = [...foldersOfSuites()].filter((folder) => !hasSubject(folder));
    assert.deepEqual(astray, []);
  });

  it('contain suites for every room of services/', () => {
    const folders = foldersOfSuites();
    const untried = rooms().filter((room) => !(room in TRIED_ELSEWHERE) && !isTried(room, folders));
    assert.deepEqual(untried, []);
  });

  it('has suites elsewhere for every room that is an exception, and none at its own path', () => {
    const folders = foldersOfSuites();
    for (const [room, { by }] of Object.entries(TRIED_ELSEWHERE)) {
      assert.ok(rooms().includes(room), `${room} is no room`);
      assert.ok(existsSync(join(ROOT, by)), `${by} does not exist`);
      assert.ok(!isTried(room, folders), `${room} has suites of its own; it is no exception`);
    }
  });
});
