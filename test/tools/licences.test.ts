import assert from 'node:assert/strict';
import { type LockEntry, listDependencies, refused } from '../../tools/licences.ts';

/** Names of the packages that would be refused. */
function refusedNames(packages: Record<string, LockEntry>): string[] {
  return refused(listDependencies(packages)).map(({ name }) => name);
}

const installed = (name: string, license?: string): Record<string, LockEntry> => ({
  [`node_modules/${name}`]: { version: '1.0.0', ...(license !== undefined && { license }) },
});

describe('licences of dependencies', () => {
  it('may be permissive, alone, combined or as one of several alternatives', () => {
    for (const licence of [
      'MIT',
      'Apache-2.0 AND MIT',
      '(MIT OR GPL-3.0-or-later)',
      'MIT or MPL-2.0',
      '(MIT AND Zlib)',
    ])
      assert.deepEqual(refusedNames(installed('a', licence)), [], licence);
  });

  it('are refused where they would bind the owner, are unknown or missing', () => {
    const binding = [
      'GPL-3.0-only',
      'AGPL-3.0-or-later',
      'LGPL-3.0-or-later',
      'SSPL-1.0',
      'UNLICENSED',
      'SEE LICENSE IN x',
    ];
    for (const licence of [...binding, 'MIT AND GPL-2.0', 'GPL-2.0 OR AGPL-3.0', 'MPL-2.0', ''])
      assert.deepEqual(refusedNames(installed('a', licence)), ['a'], licence);
    assert.deepEqual(refusedNames(installed('a')), ['a']);
  });

  it('that are allowed for one package are refused for others', () => {
    assert.deepEqual(refusedNames(installed('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')), []);
    assert.deepEqual(refusedNames(installed('web-push', 'MPL-2.0')), []);
    assert.deepEqual(refusedNames(installed('web-pusher', 'MPL-2.0')), ['web-pusher']);
  });

  it('of builds for other platforms are those of the package they belong to', () => {
    const packages = {
      'node_modules/tool': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'tool-darwin': '1.0.0' } },
      'node_modules/tool-darwin': { version: '1.0.0', dev: true },
    };
    const darwin = listDependencies(packages).find(({ name }) => name === 'tool-darwin');
    assert.deepEqual(darwin, { name: 'tool-darwin', version: '1.0.0', licence: 'MIT', development: true });
  });

  it('are listed once for each version, nested packages included', () => {
    const packages = {
      '': { version: '0.1.0' },
      ...installed('b', 'MIT'),
      'node_modules/b/node_modules/a': { version: '2.0.0', license: 'ISC' },
      'node_modules/c/node_modules/a': { version: '2.0.0', license: 'ISC' },
    };
    assert.deepEqual(
      listDependencies(packages).map(({ name, version }) => `${name}@${version}`),
      ['a@2.0.0', 'b@1.0.0'],
    );
  });
});
