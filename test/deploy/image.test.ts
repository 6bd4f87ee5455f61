import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { ROOT, services } from './compose.ts';

const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8');
const ignored = readFileSync(`${ROOT}.dockerignore`, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** Stage name → its instructions. */
const stages = new Map(
  dockerfile
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((text) => [/ AS (\S+)/.exec(text)?.[1] ?? '', text.split('\n').slice(1).join('\n')]),
);

describe('Dockerfile', () => {
  it('has the stages that the compose file builds', () => {
    const targets = new Set(Object.values(services).flatMap(({ build }) => (build ? [build.target] : [])));
    assert.deepEqual([...targets].toSorted(), ['pdf', 'service']);
    for (const target of targets) assert.ok(stages.has(target), target);
  });

  it('runs as a user without rights, whatever the stage did before', () => {
    for (const target of ['service', 'pdf']) {
      const users = [...(stages.get(target) ?? '').matchAll(/^USER (\S+)/gm)].map(([, user]) => user);
      assert.equal(users.at(-1), 'node', target);
    }
  });

  it('takes an exact base image and installs from the lock file', () => {
    const bases = [...dockerfile.matchAll(/^ARG NODE_IMAGE=(\S+)/gm)].map(([, image]) => image);
    assert.equal(bases.length, 1);
    assert.match(bases[0] ?? '', /^node:\d+\.\d+-\w+-slim$/);
    assert.equal(/npm (i|install)\b/.test(dockerfile), false);
    assert.match(stages.get('build') ?? '', /npm ci[\s\S]*npm run build/);
    assert.match(stages.get('dependencies') ?? '', /npm ci --omit=dev/);
    assert.match(stages.get('service') ?? '', /^ENV NODE_ENV=production$/m);
  });

  it('has a browser for PDFs where the worker looks for it', () => {
    assert.match(stages.get('pdf') ?? '', /install --yes --no-install-recommends chromium/);
    assert.equal(services['worker-pdf']?.environment?.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium');
  });

  it('reads only files that are let into the build, and lets nothing else in', () => {
    assert.equal(ignored[0], '*');
    const allowed = ignored.slice(1).map((line) => line.replace(/^!/, ''));
    for (const path of allowed) assert.ok(existsSync(ROOT + path), `${path} is not there`);
    assert.ok(!allowed.some((path) => /\.env|\.data|^deploy$|^test|^\.git/.test(path)));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, list]) =>
      (list ?? '').split(' ').slice(0, -1),
    );
    assert.ok(copied.length > 4);
    for (const path of copied) assert.ok(path === '.' || allowed.includes(path), `${path} is copied, but left out`);
    const { include } = JSON.parse(readFileSync(`${ROOT}tsconfig.build.json`, 'utf8')) as { include: string[] };
    for (const folder of include) assert.ok(allowed.includes(folder), `${folder} is built, but left out`);
  });
});
